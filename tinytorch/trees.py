"""Tensors in tuples, lists and dictionaries, which may hold each other."""

from tinytorch.tensor import Tensor


def mapped(function, tree):
    """The tree with `function` of each tensor in its place; what is no tensor stays.

    >>> mapped(lambda x: x.item(), {"a": [Tensor(1.0), 2]})
    {'a': [1.0, 2]}
    """
    if isinstance(tree, Tensor):
        return function(tree)
    if isinstance(tree, dict):
        return {key: mapped(function, value) for key, value in tree.items()}
    if not isinstance(tree, (tuple, list)):
        return tree
    parts = [mapped(function, part) for part in tree]
    return type(tree)(*parts) if hasattr(tree, "_fields") else type(tree)(parts)


def leaves_of(tree):
    """The tensors of the tree, in the order in which mapped() meets them."""
    found = []
    mapped(found.append, tree)
    return tuple(found)


def rebuilt(tree, leaves):
    """The tree with the next one of `leaves` in the place of each tensor."""
    leaves = iter(leaves)
    return mapped(lambda _: next(leaves), tree)
