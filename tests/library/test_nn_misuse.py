"""What a wrong call of nn, optim and data gets: PyTorch's exception type, and one clear line."""

import pytest

import tinytorch

# what is called, with what, the exception, and words of our line; "x" and "i" are built below
CALLS = [
    # inputs that are no tensors
    ("F.linear", "[1.0], x(2, 1)", TypeError, "linear: input must be a Tensor, got list"),
    ("F.conv2d", "x(1, 1, 3, 3), 2", TypeError, "conv2d: weight must be a Tensor, got int"),
    ("F.max_pool2d", "3, 2", TypeError, "pooling: input must be a Tensor, got int"),
    ("F.layer_norm", "[1.0], (1,)", TypeError, "layer_norm: input must be a Tensor"),
    ("F.embedding", "[0], x(2, 1)", TypeError, "embedding: input must be a Tensor, got list"),
    ("F.nll_loss", "x(2, 3), [0, 1]", TypeError, "nll_loss: target must be a Tensor, got list"),
    ("F.cross_entropy", "x(2, 3), None", TypeError, "target"),
    ("F.scaled_dot_product_attention", "x(2, 3), x(2, 3), 1", TypeError, "value must be a Tensor"),
    # layers
    ("F.linear", "x(2, 3), x(4, 2)", RuntimeError, r"shapes \(2, 3\) and \(4, 2\)"),
    ("F.linear", "x(2, 3), x(4, 3), x(3)", RuntimeError, r"bias must have shape \(4,\), got"),
    ("F.linear", "x(2, 3), x(4, 3).double()", RuntimeError, "float32 and float64"),
    ("F.linear", "i(2, 3), x(4, 3)", RuntimeError, "int64 and float32"),
    ("nn.Linear(3, 4)", "x(2, 2)", RuntimeError, r"\(2, 2\) and \(4, 3\)"),
    ("F.conv2d", "x(3, 3), x(1, 1, 2, 2)", RuntimeError, r"shapes \(3, 3\)"),
    (
        "F.conv2d",
        "x(1, 1, 3, 3), x(1, 1, 2, 2), None, (1, 1, 1)",
        RuntimeError,
        "stride must be one",
    ),
    ("F.conv2d", "x(1, 1, 3, 3), x(1, 1, 2, 2), None, 1.5", TypeError, "whole number or two"),
    ("F.conv2d", "x(1, 1, 3, 3), x(1, 1, 2, 2), None, 0", RuntimeError, "stride"),
    ("F.conv2d", "x(1, 1, 3, 3), x(1, 1, 2, 2), None, 1, -1", RuntimeError, "padding must be"),
    ("F.conv2d", "x(1, 1, 3, 3), x(1, 1, 2, 2), None, 1, 0, 0", RuntimeError, "dilation"),
    ("F.conv2d", "x(1, 1, 3, 3), x(1, 1, 2, 2), None, 1, 0, 1, 0", RuntimeError, "groups=0"),
    ("F.conv2d", "x(1, 1, 3, 3), x(1, 1, 4, 4)", RuntimeError, "spans 4 does not fit"),
    ("F.conv2d", "x(1, 1, 3, 3), x(1, 1, 2, 2), x(2)", RuntimeError, "bias must have shape"),
    ("F.conv2d", "x(1, 1, 3, 3), x(1, 1, 2, 2).double()", RuntimeError, "float32 and float64"),
    ("nn.Conv2d(2, 4, 1, groups=0)", "", ValueError, "do not split by 0"),
    ("nn.Conv2d(1, 1, 2, padding='some')", "", ValueError, "'same', 'valid' or numbers"),
    ("nn.Conv2d(1, 1, 2, stride=2, padding='same')", "", ValueError, "needs stride 1"),
    ("nn.Conv2d(-1, 4, 2)", "", RuntimeError, "negative dimension -1"),
    ("nn.Embedding(2, -3)", "", RuntimeError, "negative dimension -3"),
    ("nn.BatchNorm1d(-2)", "", RuntimeError, "negative dimension -2"),
    ("nn.LayerNorm(-2)", "", RuntimeError, "negative dimension -2"),
    ("nn.LeakyReLU(slope=1)", "", TypeError, r"LeakyReLU\(negative_slope=0.01, .* 'slope'"),
    ("nn.MaxPool2d()", "", TypeError, "missing a required argument: 'kernel_size'"),
    ("F.max_pool2d", "x(3, 3), 2", RuntimeError, r"got shape \(3, 3\)"),
    ("F.max_pool2d", "x(1, 3, 3), 4", RuntimeError, "spans 4 does not fit"),
    ("F.max_pool2d", "x(1, 3, 3), 2, 2, 2", RuntimeError, "at most half"),
    ("F.avg_pool2d", "x(1, 3, 3), 0", RuntimeError, "at least 1"),
    ("F.adaptive_avg_pool2d", "x(1, 3, 3), -1", RuntimeError, "negative dimension -1"),
    ("F.adaptive_avg_pool2d", "x(1, 1, 3, 3), (1, 2, 3)", RuntimeError, "one output size or two"),
    ("F.adaptive_avg_pool2d", "x(1, 0, 3), 2", RuntimeError, r"not empty, .*\(1, 0, 3\)"),
    ("F.adaptive_avg_pool2d", "x(1, 3, 3), 1.5", TypeError, "whole number"),
    ("F.adaptive_avg_pool2d", "i(1, 3, 3), 1", RuntimeError, "int64"),
    ("nn.BatchNorm1d(3)", "x(2, 4)", RuntimeError, r"running_mean must have shape \(4,\)"),
    ("nn.BatchNorm1d(3)", "x(3)", ValueError, "2-d or 3-d input, got 1-d"),
    ("nn.BatchNorm2d(3)", "x(2, 3)", ValueError, "4-d input, got 2-d"),
    ("nn.BatchNorm1d(3)", "x(1, 3)", ValueError, "more than one number a channel"),
    ("F.batch_norm", "x(2, 3), None, None", RuntimeError, "unless training=True"),
    ("F.batch_norm", "x(2, 3), x(3), None, training=True", ValueError, "both .*, or neither"),
    ("F.batch_norm", "x(2, 3), x(3), x(3), x(1)", RuntimeError, r"weight must have shape \(3,\)"),
    ("F.layer_norm", "x(2, 3), (2,)", RuntimeError, r"over \(2,\)"),
    ("F.layer_norm", "x(2, 3), (3,), x(1)", RuntimeError, r"weight must have shape \(3,\)"),
    ("nn.LayerNorm(3)", "x(2, 3).double()", RuntimeError, "float64 and float32"),
    ("nn.Dropout(2.0)", "", ValueError, "between 0 and 1"),
    ("F.dropout", "x(2), -0.5", ValueError, "between 0 and 1"),
    ("F.embedding", "i(2) + 5, x(2, 1)", IndexError, "table of 2 rows"),
    ("F.embedding", "i(2), x(2, 1), 2", AssertionError, "padding_idx 2 is outside the 2 rows"),
    ("F.embedding", "i(2), x(2)", RuntimeError, r"weight \(V, D\), got shape \(2,\)"),
    ("F.embedding", "x(2), x(2, 1)", RuntimeError, "integer indices"),
    ("F.one_hot", "i(2) + 5, 3", RuntimeError, "0 to 2"),
    ("F.one_hot", "i(2) - 5", RuntimeError, "not one of"),
    ("F.one_hot", "x(2)", RuntimeError, "integers, got float32"),
    ("F.gelu", "x(2), approximate='some'", RuntimeError, "'none' or 'tanh'"),
    ("F.softmax", "x(2), 1", IndexError, "dim"),
    ("F.scaled_dot_product_attention", "x(2, 3), x(2, 4), x(2, 3)", RuntimeError, "shapes"),
    ("F.scaled_dot_product_attention", "x(2, 3), x(2, 3), i(2, 3)", RuntimeError, "dtype"),
    ("F.scaled_dot_product_attention", "x(2, 3), x(2, 3), x(4, 3)", RuntimeError, "shapes"),
    (
        "F.scaled_dot_product_attention",
        "x(2, 3), x(2, 3), x(2, 3), i(2, 2)",
        RuntimeError,
        "booleans or floats, got tinytorch.int64",
    ),
    ("F.scaled_dot_product_attention", "x(3), x(3), x(3)", RuntimeError, "dimensions"),
    # losses
    ("F.mse_loss", "x(2, 3), x(2, 2)", RuntimeError, "broadcast"),
    ("F.mse_loss", "x(2), x(2), reduction='avg'", ValueError, "got 'avg'"),
    ("F.nll_loss", "x(2, 3), i(3)", ValueError, r"target of shape \(2,\), got \(3,\)"),
    ("F.nll_loss", "x(2, 3), x(2)", RuntimeError, "int64 is needed"),
    ("F.nll_loss", "x(2, 3), i(2) + 3", IndexError, "classes 0 to 2"),
    ("F.nll_loss", "x(2, 3), i(2) - 1", IndexError, "classes 0 to 2"),
    ("F.nll_loss", "x(2, 3), i(2), x(2)", RuntimeError, r"must have shape \(3,\), got \(2,\)"),
    ("F.nll_loss", "x(2, 3), i(2), x(3).double()", RuntimeError, "float32 and float64"),
    ("F.cross_entropy", "x(2, 3), i(2, 3)", RuntimeError, "target"),
    ("F.cross_entropy", "x(2, 3), i(4)", ValueError, r"\(2,\), got \(4,\)"),
    ("F.cross_entropy", "x(2, 3), x(2)", RuntimeError, r"shape \(2, 3\), got \(2,\)"),
    ("F.cross_entropy", "x(2, 3), i(2), label_smoothing=2.0", RuntimeError, "between 0 and 1"),
    ("F.binary_cross_entropy", "x(2), x(3)", ValueError, "one shape"),
    ("F.binary_cross_entropy", "x(2) + 2, x(2)", RuntimeError, "apply sigmoid first"),
    ("F.binary_cross_entropy_with_logits", "x(2), x(2, 1)", ValueError, "one shape"),
    # modules
    ("nn.Sequential(nn.ReLU()).__getitem__", "1", IndexError, "index 1"),
    ("nn.Sequential", "3", TypeError, "must be a Module or None, got int"),
    ("nn.Linear(1, 1).load_state_dict", "3", TypeError, "a dictionary, got int"),
    ("nn.Linear(1, 1).load_state_dict", "{'weight': x(1, 1)}", RuntimeError, 'Missing key.*"bias"'),
    ("nn.Linear(1, 1, False).load_state_dict", "{'weight': 3}", RuntimeError, "got int"),
    ("nn.Linear(1, 1).to", "t.int64", TypeError, "floating-point dtypes, got tinytorch.int64"),
    ("nn.Parameter", "i(2)", RuntimeError, "floating-point"),
    ("nn.init.xavier_uniform_", "x(3)", ValueError, "at least 2 dimensions"),
    ("nn.init.uniform_", "x(3), 1.0, 0.0", RuntimeError, "a = 1.0 and b = 0.0"),
    ("nn.init.normal_", "x(3), 0.0, -1.0", RuntimeError, "at least 0, got -1.0"),
    ("nn.init.calculate_gain", "'some'", ValueError, "'some'"),
    # optimizers and schedulers
    ("t.optim.SGD", "[], 0.1", ValueError, "empty parameter list"),
    ("t.optim.SGD", "x(2), 0.1", TypeError, "got one Tensor"),
    ("t.optim.SGD", "[1.0], 0.1", TypeError, "moves tensors, got float"),
    ("t.optim.SGD", "[{'params': [x(2)]}, x(2)], 0.1", TypeError, "a group is a dict"),
    ("t.optim.SGD", "[x(2)], -0.1", ValueError, "lr must not be negative"),
    ("t.optim.SGD", "[x(2)], 0.1, -0.9", ValueError, "momentum"),
    ("t.optim.SGD", "[x(2)], 0.1, nesterov=True", ValueError, "momentum above 0"),
    ("t.optim.SGD", "[x(2).requires_grad_() * 2]", ValueError, "leaves"),
    ("t.optim.Adam", "[x(2)], betas=(0.9, 1.0)", ValueError, "betas"),
    ("t.optim.AdamW", "[x(2)], weight_decay=-1", ValueError, "weight_decay"),
    ("t.optim.RMSprop", "[x(2)], alpha=-1", ValueError, "alpha"),
    ("t.optim.Adam", "[x(2)], speed=3", TypeError, "speed"),
    ("t.optim.lr_scheduler.StepLR", "3, 1", TypeError, "an Optimizer, got int"),
    # data
    ("t.utils.data.DataLoader", "[1], batch_size=0", ValueError, "whole number from 1"),
    ("t.utils.data.DataLoader", "[1], batch_size=1.5", ValueError, "whole number from 1"),
    ("t.utils.data.TensorDataset", "x(2), x(3)", AssertionError, r"\[2, 3\]"),
    ("t.utils.data.random_split", "range(10), [3, 3]", ValueError, "do not add up to 10"),
    ("t.utils.data.random_split", "range(10), [1.5, -0.5]", ValueError, "between 0 and 1"),
    ("t.utils.data.default_collate", "[object()]", TypeError, "batch of object"),
    ("t.utils.data.default_collate", "[(1,), (1, 2)]", RuntimeError, "same number of parts"),
    ("t.utils.data.default_collate", "[x(1), x(2)]", RuntimeError, "must be equal"),
]


def call(t, function, arguments):
    names = {
        "t": t,
        "nn": t.nn,
        "F": t.nn.functional,
        "x": lambda *shape: t.full(shape, 0.5),
        "i": lambda *shape: t.zeros(shape, dtype=t.int64),
    }
    if arguments or function.startswith("t."):
        function = f"{function}({arguments})"
    return eval(function, names)  # noqa: S307 - our own table


@pytest.mark.parametrize("function, arguments, error, words", CALLS)
def test_a_wrong_call_gets_one_clear_line(function, arguments, error, words):
    with pytest.raises(error, match=words) as caught:
        call(tinytorch, function, arguments)
    if "load_state_dict" not in function:  # which has a line for each problem
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("function, arguments, error, words", CALLS)
def test_the_exception_is_pytorchs(function, arguments, error, words):
    torch = pytest.importorskip("torch")
    with pytest.raises(error):
        call(torch, function, arguments)
