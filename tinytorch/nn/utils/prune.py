"""Pruning: weights that count for little are set to zero, and stay zero.

Of a parameter `weight`, pruning makes a parameter `weight_orig` and a buffer `weight_mask` of ones
and zeros; `weight` itself is their product, made anew before each call.
"""

from numbers import Real

from tinytorch.hooks import RemovableHandle
from tinytorch.ops.creation import ones_like, zeros_like
from tinytorch.ops.distances import norm
from tinytorch.ops.joining import cat
from tinytorch.ops.random import rand, rand_like

# --- methods ---


class BasePruningMethod:
    """A way to choose what stays: a subclass writes `compute_mask`, and says its PRUNING_TYPE.

    That is "unstructured" where single numbers are chosen, "structured" where it's whole slices
    along `dim`, and "global" where the mask is for all of the tensor, pruned before or not.
    """

    PRUNING_TYPE = "unstructured"
    _tensor_name = None

    def __call__(self, module, args=(), kwargs=None):
        """What happens before each call of the module: its weight is made anew."""
        setattr(module, self._tensor_name, self.apply_mask(module))
        return args, kwargs or {}

    def compute_mask(self, t, default_mask):
        """The mask for scores `t`, of their shape: `default_mask` with more zeros."""
        raise NotImplementedError(f"{type(self).__name__} has no compute_mask()")

    def apply_mask(self, module):
        """The product of what is learned and the mask."""
        original = getattr(module, f"{self._tensor_name}_orig")
        return getattr(module, f"{self._tensor_name}_mask").to(original.dtype) * original

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        """Prune the parameter `name` of the module; what this returns does it before each call.

        The scores are `importance_scores`, of the parameter's shape, or the parameter itself. A
        parameter that is pruned already loses more. ValueError for scores of another shape.
        """
        before = method_of(module, name)
        scores = getattr(module, name) if importance_scores is None else importance_scores
        scores = scores.detach()
        if scores.shape != getattr(module, name).shape:
            raise ValueError(
                f"importance_scores must have the shape of {name!r},"
                f" {tuple(getattr(module, name).shape)}, got {tuple(scores.shape)}"
            )
        method = cls(*args, **kwargs)
        method._tensor_name = name
        if before is None:
            mask = method.compute_mask(scores, ones_like(scores))  # may fail: so before all else
            module.register_parameter(f"{name}_orig", without(module, name))
        else:
            method = PruningContainer(*methods_in(before), method)
            mask = method.compute_mask(scores, getattr(module, f"{name}_mask"))
            forget(module, before)
        module.register_buffer(f"{name}_mask", mask.to(scores.dtype))
        RemovableHandle(module._forward_pre_hooks, method)
        method(module)
        return method

    def prune(self, t, default_mask=None, importance_scores=None):
        """`t` with zeros where the mask has them; nothing is remembered."""
        scores = t if importance_scores is None else importance_scores
        mask = ones_like(scores) if default_mask is None else default_mask
        return t * self.compute_mask(scores, mask).to(t.dtype)

    def remove(self, module):
        """Make a plain parameter again, which keeps its zeros for now."""
        name = self._tensor_name
        pruned = self.apply_mask(module).detach()
        original = without(module, f"{name}_orig")
        for part in (name, f"{name}_mask"):
            delattr(module, part)
        original.data = pruned
        module.register_parameter(name, original)


class PruningContainer(BasePruningMethod):
    """Several methods of one tensor, one after the other: the last decides on what is left."""

    def __init__(self, *methods):
        self._pruning_methods = ()
        for method in methods:
            self.add_pruning_method(method)

    def add_pruning_method(self, method):
        """Add a method of the same tensor; TypeError for none, ValueError for another tensor's."""
        if not isinstance(method, BasePruningMethod):
            raise TypeError(f"a pruning method is wanted, got {type(method).__name__}")
        if self._pruning_methods and method._tensor_name != self._tensor_name:
            raise ValueError(
                f"the methods here prune {self._tensor_name!r}, not {method._tensor_name!r}"
            )
        self._tensor_name = method._tensor_name
        self._pruning_methods += (method,)

    def __len__(self):
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, index):
        return self._pruning_methods[index]

    def compute_mask(self, t, default_mask):
        """The mask so far, with more zeros by the last method among what is left."""
        method, mask = self._pruning_methods[-1], default_mask.clone()
        left = what_is_left(method, mask)
        mask[left] = method.compute_mask(t[left], mask[left]).to(mask.dtype)
        return mask


def what_is_left(method, mask):
    """The index of what a method may still choose from."""
    if method.PRUNING_TYPE == "global":
        return ...
    if method.PRUNING_TYPE == "unstructured":
        return mask == 1
    if method.PRUNING_TYPE != "structured":
        raise ValueError(
            f"PRUNING_TYPE is 'unstructured', 'structured' or 'global', got {method.PRUNING_TYPE!r}"
        )
    dim = method.dim % mask.dim()
    others = [d for d in range(mask.dim()) if d != dim]
    return (*[slice(None)] * dim, mask.sum(others) != 0)


class Identity(BasePruningMethod):
    """Nothing is set to zero: the names are those of a pruned parameter, the values stay."""

    def compute_mask(self, t, default_mask):
        return default_mask


class CustomFromMask(BasePruningMethod):
    """A mask that is known."""

    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        return default_mask * self.mask.to(default_mask.dtype)


class Amount(BasePruningMethod):
    """A method with an `amount`: a count, or a float for the share of all that is set to zero."""

    def __init__(self, amount):
        if not isinstance(amount, Real):
            raise TypeError(f"amount must be an int or a float, got {type(amount).__name__}")
        if amount < 0 or (not isinstance(amount, int) and amount > 1):
            raise ValueError(f"amount must be a float from 0 to 1 or a count, got {amount}")
        self.amount = amount

    def count(self, total):
        """How many of this `total` become zero; ValueError for more than there are."""
        if not isinstance(self.amount, int):
            return round(self.amount * total)
        if self.amount > total:
            raise ValueError(f"amount is {self.amount}, but only {total} are left to prune")
        return self.amount


class RandomUnstructured(Amount):
    """Numbers chosen by chance."""

    def compute_mask(self, t, default_mask):
        return without_least(rand_like(t), self.count(t.numel()), default_mask)


class L1Unstructured(Amount):
    """The numbers nearest to zero."""

    def compute_mask(self, t, default_mask):
        return without_least(t.abs(), self.count(t.numel()), default_mask)


class RandomStructured(Amount):
    """Slices along `dim` chosen by chance."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim=-1):
        super().__init__(amount)
        self.dim = dim

    def compute_mask(self, t, default_mask):
        check_slices(t)
        scores = rand(t.shape[self.dim])
        return without_slices(scores, self.count(len(scores)), self.dim, default_mask)


class LnStructured(Amount):
    """The slices along `dim` of the least norm, of order `n` as in norm()."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount, n, dim=-1):
        super().__init__(amount)
        self.n, self.dim = n, dim

    def compute_mask(self, t, default_mask):
        check_slices(t)
        scores = norm(t, self.n, [d for d in range(t.dim()) if d != self.dim % t.dim()])
        return without_slices(scores, self.count(len(scores)), self.dim, default_mask)


# --- masks ---


def check_slices(t):
    if t.dim() < 2:
        raise ValueError(f"slices need at least two dimensions, got shape {tuple(t.shape)}")


def without_least(scores, count, mask):
    """The mask with zeros at the places of the `count` least scores."""
    places = scores.flatten().topk(count, largest=False).indices
    flat = mask.flatten().clone()
    flat[places] = 0
    return flat.reshape(mask.shape)


def without_slices(scores, count, dim, mask):
    """The mask with zeros in the slices along `dim` that have the `count` least scores."""
    kept = scores.topk(len(scores) - count).indices
    slices = zeros_like(mask)
    slices[(*[slice(None)] * (dim % mask.dim()), kept)] = 1
    return slices * mask


# --- the module ---


def method_of(module, name):
    """The method that prunes this parameter, or None."""
    for hook in module._forward_pre_hooks.values():
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            return hook
    return None


def methods_in(method):
    return method if isinstance(method, PruningContainer) else (method,)


def forget(module, method):
    """Take the method out of what happens before each call."""
    hooks = module._forward_pre_hooks
    for key in [key for key, hook in hooks.items() if hook is method]:
        del hooks[key]


def without(module, name):
    """The parameter `name`, which the module has no longer; AttributeError if it never had it."""
    parameter = module.get_parameter(name)
    delattr(module, name)
    return parameter


# --- what to call ---


def identity(module, name):
    """Prune nothing, but name things as if; returns the module."""
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    """Set an `amount` of numbers to zero by chance; returns the module.

    >>> layer = random_unstructured(tinytorch.nn.Linear(2, 3), "weight", amount=1)
    >>> int((layer.weight == 0).sum()), list(layer.state_dict())
    (1, ['bias', 'weight_orig', 'weight_mask'])
    """
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    """Set the `amount` of numbers nearest to zero, or of the least scores, to zero."""
    L1Unstructured.apply(module, name, amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    """Set an `amount` of slices along `dim` to zero by chance."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    """Set the `amount` of slices along `dim` with the least norm of order `n` to zero."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    """Set to zero where the mask is zero."""
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    """Prune pairs (module, name) as if all of their numbers were one tensor.

    `importance_scores` is {(module, name): scores}. TypeError for a method that chooses slices.
    """
    pairs, scores = list(parameters), importance_scores or {}
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(f"{pruning_method.__name__} chooses slices, which tensors don't share")
    weights = [getattr(module, name).detach() for module, name in pairs]
    found = [scores.get(pair, weight) for pair, weight in zip(pairs, weights, strict=True)]
    masks = [
        getattr(module, f"{name}_mask", ones_like(weight)).flatten()
        for (module, name), weight in zip(pairs, weights, strict=True)
    ]
    whole = PruningContainer(method).compute_mask(cat([x.flatten() for x in found]), cat(masks))
    parts = whole.split([weight.numel() for weight in weights])
    for (module, name), weight, mask in zip(pairs, weights, parts, strict=True):
        custom_from_mask(module, name, mask.reshape(weight.shape))


def remove(module, name):
    """Make a plain parameter again, which keeps its zeros for now; returns the module.

    ValueError for a parameter that isn't pruned.
    """
    method = method_of(module, name)
    if method is None:
        raise ValueError(f"{type(module).__name__} has no pruned parameter {name!r}")
    method.remove(module)
    forget(module, method)
    return module


def is_pruned(module):
    """Is a parameter of the module, or of one within it, pruned?"""
    hooks = [hook for part in module.modules() for hook in part._forward_pre_hooks.values()]
    return any(isinstance(hook, BasePruningMethod) for hook in hooks)
