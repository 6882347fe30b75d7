"""Recurrent networks: one small network applied to a sequence, step by step, with a memory."""

import math

from tinytorch.nn import init
from tinytorch.nn.dropout import dropout
from tinytorch.nn.linear import linear
from tinytorch.nn.module import Module
from tinytorch.nn.parameter import add_parameters
from tinytorch.nn.utils.rnn import PackedSequence
from tinytorch.ops.creation import zeros
from tinytorch.ops.elementwise import relu, sigmoid, tanh
from tinytorch.ops.joining import cat, chunk, split, stack
from tinytorch.tensor import check_tensors

# --- one step: what the input brings, what the memory brings, and the memory afterwards ---


def rnn_tanh(x, h, state):
    """h' = tanh(x + h)"""
    return (tanh(x + h),)


def rnn_relu(x, h, state):
    """h' = relu(x + h)"""
    return (relu(x + h),)


def lstm(x, h, state):
    """Gates i, f, g, o (N, 4 H): the cell forgets by f and takes in g by i, o shows part of it."""
    i, f, g, o = chunk(x + h, 4, -1)
    cell = sigmoid(f) * state[1] + sigmoid(i) * tanh(g)
    return sigmoid(o) * tanh(cell), cell


def gru(x, h, state):
    """Gates r, z, n (N, 3 H): z keeps the memory, else it becomes n, which sees r of it."""
    (x_r, x_z, x_n), (h_r, h_z, h_n) = chunk(x, 3, -1), chunk(h, 3, -1)
    new = tanh(x_n + sigmoid(x_r + h_r) * h_n)
    return (new + sigmoid(x_z + h_z) * (state[0] - new),)


# --- many steps ---


def scan(step, inputs, start, backwards=False):
    """All results of `step(x, state)`, and the last state of each sequence.

    `inputs` holds for each time the rows of those sequences that are not over, (N_t, ...), the
    longest sequence first. `start` is a tuple of states (N, ...). `backwards` begins at the end.
    """
    count = len(inputs[-1] if backwards else inputs[0])
    state, over, outputs = tuple([s[:count] for s in start]), [], []
    for x in reversed(inputs) if backwards else inputs:
        if len(x) < count:  # some sequences are over: their state is the last one
            over.insert(0, [s[len(x) :] for s in state])
            state = [s[: len(x)] for s in state]
        elif len(x) > count:  # some begin at the end
            state = [cat([s, first[count : len(x)]]) for s, first in zip(state, start, strict=True)]
        count = len(x)
        state = step(x, state)
        outputs.append(state[0])
    last = [cat(parts) for parts in zip(state, *over, strict=True)] if over else state
    return outputs[::-1] if backwards else outputs, last


class Recurrent(Module):
    """What RNN, LSTM and GRU share: layers, directions, and sequences of different lengths.

    `input` is (T, N, input_size), with `batch_first` (N, T, input_size), (T, input_size) for a
    single sequence, or a PackedSequence. The result is (output, states): `output` holds the
    states of the last layer at all times, (T, N, H), or with `bidirectional` (T, N, 2 H); the
    states at the end are (layers x directions, N, H), and so are those that may be given to
    begin with, which are zeros by default. `dropout` stands between layers.
    """

    step, gates, states = None, 1, 1  # a subclass says

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
    ):
        super().__init__()
        if hidden_size < 1 or num_layers < 1:
            raise ValueError(f"sizes must be positive, got {hidden_size} and {num_layers} layers")
        if proj_size and (self.states == 1 or not 0 < proj_size < hidden_size):
            raise ValueError(f"proj_size is for LSTM, and below hidden_size, got {proj_size}")
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = dropout
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self.add_layers(device, dtype)
        self.reset_parameters()

    def add_layers(self, device, dtype):
        """The parameters of all layers and directions."""
        for layer in range(self.num_layers):
            width = self.shown * (1 + self.bidirectional) if layer else self.input_size
            for name in self.names(layer):
                add_weights(self, name, self.gates, width, self.shown, device, dtype)
                if self.proj_size:
                    shape = {f"weight_hr{name}": (self.proj_size, self.hidden_size)}
                    add_parameters(self, device, dtype, **shape)

    @property
    def shown(self):
        """How many numbers a state shows at each step."""
        return self.proj_size or self.hidden_size

    def names(self, layer):
        """What the names of a layer's parameters end with, for each direction."""
        return [f"_l{layer}", f"_l{layer}_reverse"][: 1 + self.bidirectional]

    def reset_parameters(self):
        """Draw all numbers evenly from +-1 / sqrt(hidden_size)."""
        draw_weights(self)

    @property
    def _flat_weights_names(self):  # as programs that give all of them a start ask for it
        return list(self._parameters)

    def flatten_parameters(self):
        """Nothing: there is no memory to lay out for a GPU."""

    def forward(self, input, hx=None):
        if isinstance(input, PackedSequence):
            start = self.first_states(input.batch_sizes[0].item(), input.data, hx)
            start = rearranged(start, input.sorted_indices)
            output, last = self.run(split(input.data, input.batch_sizes.tolist()), start)
            last = rearranged(last, input.unsorted_indices)
            return input._replace(data=cat(output)), self.as_given(last)
        check_input(type(self).__name__, input, (2, 3), self.input_size)
        if input.dim() == 2:
            return self.forward_single(input, hx)
        input = input.transpose(0, 1) if self.batch_first else input
        if not len(input):
            raise RuntimeError(f"{type(self).__name__} needs a sequence of at least one step")
        start = self.first_states(input.shape[1], input, hx)
        output, last = self.run(input.unbind(0), start)
        return stack(output, 1 if self.batch_first else 0), self.as_given(last)

    def forward_single(self, input, hx):
        """forward() of one sequence (T, input_size): a batch of one, and out of it again."""
        dim = 0 if self.batch_first else 1
        given = None if hx is None else self.as_given([s.unsqueeze(1) for s in self.as_list(hx)])
        output, last = self.forward(input.unsqueeze(dim), given)
        return output.squeeze(dim), self.as_given([s.squeeze(1) for s in self.as_list(last)])

    def as_list(self, hx):
        """The states that a caller gave, one or a tuple, as a list."""
        return [hx] if self.states == 1 else list(hx)

    def as_given(self, states):
        """The list of states as a caller gets them: one, or a tuple."""
        return states[0] if self.states == 1 else tuple(states)

    def first_states(self, count, like, hx):
        """The states to begin with, each (layers x directions, N, H); RuntimeError for others."""
        many = self.num_layers * (1 + self.bidirectional), count
        shapes = [(*many, self.shown), (*many, self.hidden_size)][: self.states]
        if hx is None:
            return [zeros(shape, dtype=like.dtype) for shape in shapes]
        for state, shape in zip(self.as_list(hx), shapes, strict=True):
            if tuple(state.shape) != shape:
                raise RuntimeError(f"a state must have shape {shape}, got {tuple(state.shape)}")
        return self.as_list(hx)

    def run(self, inputs, start):
        """The outputs of the last layer, a list over time, and all last states."""
        ends, place = [], 0
        for layer in range(self.num_layers):
            ways = []
            for name in self.names(layer):
                first = tuple([s[place] for s in start])
                outputs, last = self.one_way(inputs, first, name)
                ways.append(outputs)
                ends.append(last)
                place += 1
            inputs = ways[0]
            if self.bidirectional:
                inputs = [cat(pair, -1) for pair in zip(*ways, strict=True)]
            if layer < self.num_layers - 1 and self.dropout and self.training:
                inputs = [dropout(x, self.dropout) for x in inputs]
        return inputs, [stack(states) for states in zip(*ends, strict=True)]

    def one_way(self, inputs, start, name):
        """A layer in one direction: the sums over inputs at once, those over states in turn."""
        w_x, w_h, b_x, b_h = weights_of(self, name)
        sums = split(linear(cat(inputs), w_x, b_x), [len(x) for x in inputs])
        projection = getattr(self, f"weight_hr{name}", None)

        def step(x, state):
            h, *cell = self.step(x, linear(state[0], w_h, b_h), state)
            return h if projection is None else linear(h, projection), *cell

        return scan(step, sums, start, name.endswith("reverse"))

    def extra_repr(self):
        usual = dict(proj_size=0, num_layers=1, bias=True, batch_first=False, dropout=0.0)
        said = self._unusual(**usual, bidirectional=False)
        return ", ".join([f"{self.input_size}, {self.hidden_size}", *said])


class LSTM(Recurrent):
    """Long short-term memory; its states are (h, c). S. Hochreiter and J. Schmidhuber, 1997.

    With `proj_size`, which is below hidden_size, h is projected to so many numbers.

    >>> output, (h, c) = LSTM(3, 5)(tinytorch.zeros(7, 2, 3))
    >>> output.shape, h.shape
    (tinytorch.Size([7, 2, 5]), tinytorch.Size([1, 2, 5]))
    """

    step, gates, states = staticmethod(lstm), 4, 2


class GRU(Recurrent):
    """Gated recurrent units. K. Cho et al., 2014.

    >>> output, h = GRU(3, 5, batch_first=True)(tinytorch.zeros(2, 7, 3))
    >>> output.shape
    tinytorch.Size([2, 7, 5])
    """

    step, gates = staticmethod(gru), 3


class RNN(Recurrent):
    """The simplest one: h' = tanh(W x + b + U h + c), or relu() by `nonlinearity`.

    >>> RNN(3, 5)(tinytorch.zeros(7, 2, 3))[0].shape
    tinytorch.Size([7, 2, 5])
    """

    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", *args, **kwargs):
        super().__init__(input_size, hidden_size, num_layers, *args, **kwargs)
        self.nonlinearity = nonlinearity
        self.step = rnn_step(nonlinearity)


# --- one step at a time ---


class Cell(Module):
    """What the cells share: one step, for input (N, input_size) or (input_size,)."""

    step, gates, states = None, 1, 1

    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        add_weights(self, "", self.gates, input_size, hidden_size, device, dtype)
        self.reset_parameters()

    def reset_parameters(self):
        """Draw all numbers evenly from +-1 / sqrt(hidden_size)."""
        draw_weights(self)

    def forward(self, input, hx=None):
        check_input(type(self).__name__, input, (1, 2), self.input_size)
        shape = (*input.shape[:-1], self.hidden_size)
        if hx is None:
            states = [zeros(shape, dtype=input.dtype)] * self.states
        else:
            states = [hx] if self.states == 1 else hx
            check_states(type(self).__name__, states, shape)
        w_x, w_h, b_x, b_h = weights_of(self, "")
        result = self.step(linear(input, w_x, b_x), linear(states[0], w_h, b_h), states)
        return result[0] if self.states == 1 else result

    def extra_repr(self):
        return f"{self.input_size}, {self.hidden_size}" + ("" if self.bias else ", bias=False")


class LSTMCell(Cell):
    """One step of an LSTM: (h, c) afterwards."""

    step, gates, states = staticmethod(lstm), 4, 2


class GRUCell(Cell):
    """One step of a GRU: h afterwards."""

    step, gates = staticmethod(gru), 3


class RNNCell(Cell):
    """One step of an RNN: h afterwards."""

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", **settings):
        super().__init__(input_size, hidden_size, bias, **settings)
        self.nonlinearity = nonlinearity
        self.step = rnn_step(nonlinearity)

    def extra_repr(self):
        other = "" if self.nonlinearity == "tanh" else f", nonlinearity={self.nonlinearity}"
        return super().extra_repr() + other


# --- the parts ---


def check_states(name, states, shape):
    """RuntimeError unless each of the states has this shape."""
    wrong = [tuple(each.shape) for each in states if tuple(each.shape) != tuple(shape)]
    if wrong:
        raise RuntimeError(f"{name} needs a state of shape {tuple(shape)}, got {wrong[0]}")


def rnn_step(nonlinearity):
    if nonlinearity not in ("tanh", "relu"):
        raise ValueError(f"nonlinearity must be 'tanh' or 'relu', got {nonlinearity!r}")
    return rnn_tanh if nonlinearity == "tanh" else rnn_relu


def rearranged(states, order):
    """States (layers, N, H) with their sequences in another order, if there is one."""
    return states if order is None else [state[:, order] for state in states]


def add_weights(module, name, gates, width, shown, device, dtype):
    """Parameters weight_ih, weight_hh, bias_ih and bias_hh, their names ending with `name`."""
    rows = gates * module.hidden_size
    weights = {"weight_ih": (rows, width), "weight_hh": (rows, shown)}
    biases = {"bias_ih": rows, "bias_hh": rows} if module.bias else {}
    shapes = {part + name: shape for part, shape in {**weights, **biases}.items()}
    add_parameters(module, device, dtype, **shapes)


def weights_of(module, name):
    parts = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    return [getattr(module, part + name, None) for part in parts]


def draw_weights(module):
    bound = 1 / math.sqrt(max(module.hidden_size, 1))
    for param in module.parameters():
        init.uniform_(param, -bound, bound)


def check_input(name, input, dims, width):
    """TypeError for what is no tensor; ValueError or RuntimeError for another shape."""
    check_tensors(name, input=input)
    if input.dim() not in dims:
        raise ValueError(f"{name} needs input of {dims} dimensions, got {input.dim()}")
    if input.shape[-1] != width:
        raise RuntimeError(f"{name} needs input (..., {width}), got shape {tuple(input.shape)}")
