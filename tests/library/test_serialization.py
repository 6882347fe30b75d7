"""Files."""

import os

import pytest

import tinytorch
from tinytorch import nn, optim


@pytest.fixture
def file(tmp_path):
    return tmp_path / "model.safetensors"


def test_a_state_dict_comes_back_in_order_with_dtypes_and_shapes(file):
    state = {
        "z": tinytorch.tensor([[1.0, 2.0]]).mT,
        "a": tinytorch.tensor(3),
        "flag": tinytorch.tensor([True, False]),
        "wide": tinytorch.zeros(0, 2, dtype=tinytorch.float64),
    }
    tinytorch.save(state, file)
    loaded = tinytorch.load(file)
    assert list(loaded) == list(state)
    for name, tensor in state.items():
        assert loaded[name].tolist() == tensor.tolist()
        assert loaded[name].dtype == tensor.dtype and loaded[name].shape == tensor.shape


def test_a_loaded_tensor_can_be_changed(file):
    tinytorch.save({"a": tinytorch.zeros(2)}, file)
    tensor = tinytorch.load(str(file))["a"]
    tensor += 1
    assert tensor.tolist() == [1.0, 1.0]


def test_a_network_in_training_is_saved_and_resumed(file):
    def step(net, optimizer):
        optimizer.zero_grad()
        (net(tinytorch.ones(1, 2)) ** 2).sum().backward()
        optimizer.step()
        return net.weight.tolist()

    net = nn.Linear(2, 1)
    optimizer = optim.Adam(net.parameters(), lr=0.1)
    step(net, optimizer)
    checkpoint = {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 1}
    tinytorch.save(checkpoint, file)
    expected = step(net, optimizer)

    loaded = tinytorch.load(file)
    again = nn.Linear(2, 1)
    again.load_state_dict(loaded["net"])
    resumed = optim.Adam(again.parameters())
    resumed.load_state_dict(loaded["optimizer"])
    assert loaded["epoch"] == 1
    assert step(again, resumed) == expected


def test_nesting_and_plain_values_come_back_as_they_were(file):
    obj = {"a": [1, 2.5, None, True, ("x", {3: "y"})], "inf": float("inf"), "empty": {}}
    tinytorch.save(obj, file)
    assert tinytorch.load(file) == obj


def test_two_tensors_never_share_a_name(file):
    tinytorch.save({"a": {"b": tinytorch.tensor(1)}, "a.b": tinytorch.tensor(2)}, file)
    loaded = tinytorch.load(file)
    assert loaded["a"]["b"].item() == 1 and loaded["a.b"].item() == 2
    tinytorch.save(tinytorch.tensor(5), file)
    assert tinytorch.load(file).item() == 5


def test_pytorch_reads_our_files_and_we_read_its(file):
    torch = pytest.importorskip("torch")
    files = pytest.importorskip("safetensors.torch")
    net = nn.Linear(2, 3)
    tinytorch.save(net.state_dict(), file)
    theirs = torch.nn.Linear(2, 3)
    theirs.load_state_dict(files.load_file(file))
    assert theirs.weight.tolist() == net.weight.tolist()
    files.save_file({"weight": torch.ones(3, 2), "bias": torch.zeros(3)}, file)
    net.load_state_dict(tinytorch.load(file))
    assert net.weight.tolist() == [[1.0, 1.0]] * 3
    files.save_file({"half": torch.ones(2, dtype=torch.bfloat16)}, file)
    with pytest.raises(RuntimeError, match="type of numbers that NumPy lacks"):
        tinytorch.load(file)


@pytest.mark.parametrize("keep", [0, 4, 20, -1])
def test_a_file_cut_short_is_one_clear_line(file, keep):
    tinytorch.save({"a": tinytorch.ones(10)}, file)
    file.write_bytes(file.read_bytes()[:keep])
    with pytest.raises(RuntimeError, match="not a whole safetensors file") as caught:
        tinytorch.load(file)
    assert "\n" not in str(caught.value) and file.name in str(caught.value)


def test_a_foreign_file_is_one_clear_line(file):
    file.write_bytes(b"PK\x03\x04 this is something else entirely, and not short")
    with pytest.raises(RuntimeError, match="not a whole safetensors file"):
        tinytorch.load(file)
    with pytest.raises(FileNotFoundError):
        tinytorch.load(file.with_name("nowhere"))


def test_a_file_that_cannot_be_written_is_one_clear_line(file):
    with pytest.raises(RuntimeError, match="cannot be written"):
        tinytorch.save({"a": tinytorch.ones(1)}, file.parent / "nowhere" / "model")


def test_a_file_is_written_whole_or_not_at_all(file, monkeypatch):
    tinytorch.save(tinytorch.ones(2), file)
    monkeypatch.setattr(type(file), "replace", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        tinytorch.save(tinytorch.zeros(2), file)
    assert tinytorch.equal(tinytorch.load(file), tinytorch.ones(2))
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.skipif(os.name == "nt", reason="files have no such modes there")
def test_a_file_may_be_read_by_whom_the_user_lets_read(file):
    before = os.umask(0o022)
    try:
        tinytorch.save(tinytorch.ones(2), file)
    finally:
        os.umask(before)
    assert file.stat().st_mode & 0o777 == 0o644


def test_the_arguments_of_pytorchs_programs_are_taken(file):
    tinytorch.save(obj=tinytorch.ones(1), f=file)
    cpu = tinytorch.device("cpu")
    assert tinytorch.load(file, map_location=cpu, weights_only=True).tolist() == [1.0]


def test_what_is_neither_tensor_nor_plain_is_refused(file):
    with pytest.raises(TypeError, match="got object at"):
        tinytorch.save({"a": {"b": object()}}, file)
    with pytest.raises(TypeError, match="string or integer keys"):
        tinytorch.save({2.5: 1}, file)
    assert not file.exists()
