"""Hooks: functions of yours that see gradients on their way through the graph."""

import weakref

from tinytorch.node import Node, add_to_grad, seen_by_others
from tinytorch.outputs import Parts
from tinytorch.state import state
from tinytorch.tensor import Tensor, check_gradient, method, wrap


class Hooks:
    """The hooks of one node: before it gets its gradient, and after it has made its results."""

    __slots__ = ("after_backward", "before_backward", "on_grad", "retaining")

    def __init__(self):
        self.on_grad = {}  # of the tensor: hook(grad)
        self.retaining = {}  # of the tensor, too: they see what those before have made of it
        self.before_backward = {}  # of the node: hook(grads of the results)
        self.after_backward = {}  # of the node: hook(grads of the inputs, grads of the results)

    def before(self, grad):
        """What the hooks that come before the node make of `grad`: the gradient that it gets.

        Each hook is called once, and gets what the one before it left: those of the tensor, in
        `on_grad` and then in `retaining`, as_seen(grad); those of the node, in `before_backward`,
        of_results(grad), a tuple. A hook that answers None leaves `grad` as it is. Any other answer
        makes replaced(grad, answer) of it if the hook is one of the tensor's, and if it's the
        node's with_answers(grad, answer). Each dict maps a key to a hook, and no key is in two of
        them: while it runs, a hook may remove itself or another one by its key. If that other one
        hasn't been called yet, you may call it or not. A hook may also begin another pass, even one
        that calls these hooks. An error in a hook is not caught.
        """
        for hook in [*self.on_grad.values(), *self.retaining.values()]:
            grad = replaced(grad, hook(as_seen(grad)))
        for hook in list(self.before_backward.values()):
            answer = hook(of_results(grad))
            grad = grad if answer is None else with_answers(grad, answer)
        return grad

    def after(self, results, grad):
        """The gradients of the inputs, or what a hook returned instead."""
        for hook in list(self.after_backward.values()):
            answer = hook(tuple([as_seen(result) for result in results]), of_results(grad))
            if answer is not None:
                results = [replaced(old, new) for old, new in zip(results, answer, strict=True)]
        return [seen_by_others(result) for result in results]


def as_seen(grad):
    """The gradient as a hook sees it: a Tensor."""
    return grad if grad is None or isinstance(grad, Tensor) else wrap(grad[...])


def of_results(grad):
    """What arrived at a node, as its hooks see it: a gradient, or None, for each result."""
    if isinstance(grad, Parts):
        return tuple([as_seen(grad.get(i)) for i in range(grad.count)])
    return (as_seen(grad),)


def with_answers(grad, answers):
    """What arrived at a node, replaced by what a hook returned: something for each result."""
    count = grad.count if isinstance(grad, Parts) else 1
    if len(answers) != count:
        raise RuntimeError(f"a hook returned {len(answers)} gradient(s), the node has {count}")
    if not isinstance(grad, Parts):
        return replaced(grad, answers[0])
    new = {i: replaced(grad.get(i), answer) for i, answer in enumerate(answers)}
    return Parts(grad.count, {i: each for i, each in new.items() if each is not None})


def replaced(grad, answer):
    """`answer` in the form of `grad` (array or Tensor), or `grad` if the hook gave None."""
    if answer is None:
        return grad
    check_gradient("a hook returned", answer, answer if grad is None else grad)
    return answer if state.grad_enabled else answer._data[...]


class RemovableHandle:
    """What registering a hook returns: remove(), or the end of a `with` block, takes it away."""

    def __init__(self, hooks, hook):
        self._hooks = hooks
        self._key = object()
        hooks[self._key] = hook

    def remove(self):
        """Take the hook away; a second time does nothing."""
        self._hooks.pop(self._key, None)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.remove()


def hooks_of(node):
    if node.hooks is None:
        node.hooks = Hooks()
    return node.hooks


@method("register_hook")
def register_hook(tensor, hook) -> "RemovableHandle":
    """Call hook(grad) with the complete gradient of this tensor; what it returns replaces it.

    >>> x = Tensor(1.0, requires_grad=True)
    >>> handle = x.register_hook(lambda grad: grad * 10)
    >>> (x * 2).backward()
    >>> x.grad
    tensor(20.)
    """
    if tensor._node is None:
        raise RuntimeError("a hook needs a tensor that requires grad")
    return RemovableHandle(hooks_of(tensor._node).on_grad, hook)


@method("register_post_accumulate_grad_hook")
def register_post_accumulate_grad_hook(tensor, hook) -> "RemovableHandle":
    """Call hook(tensor) for this leaf each time its .grad has been added to."""
    if not tensor.is_leaf or tensor._node is None:
        raise RuntimeError("a post-accumulate hook needs a leaf that requires grad")
    node = weakref.ref(tensor._node)  # its own hook must not keep it alive

    def after(results, grads):
        hook(node().variable)  # whatever it returns: nothing comes after a leaf

    return RemovableHandle(hooks_of(tensor._node).after_backward, after)


@method("retain_grad")
def retain_grad(tensor) -> None:
    """Keep the gradient of this result in .grad, as leaves do."""
    if tensor._node is None:
        raise RuntimeError("retain_grad() needs a tensor that requires grad")
    if tensor.is_leaf or tensor.retains_grad:
        return
    tensor.__dict__["_retains_grad"] = True
    keep_grad(tensor)


def keep_grad(tensor):
    """Add the gradient that arrives at the tensor's node to `.grad`, while it is its node."""
    reference, number = weakref.ref(tensor), tensor._node.number  # the node must not keep it alive

    def keep(grad):
        tensor = reference()
        if tensor is not None and tensor._node is not None and tensor._node.number == number:
            # [...]: a view, which is copied; the array itself goes on through the graph
            add_to_grad(tensor, grad if grad._node is not None else grad._data[...])

    RemovableHandle(hooks_of(tensor._node).retaining, keep)


def retains_grad(tensor) -> bool:
    """Does this result keep its gradient, because retain_grad() was called?"""
    return tensor.__dict__.get("_retains_grad", False)


Tensor.retains_grad = property(retains_grad)


def register_prehook(node, hook):
    """Call hook(grad_outputs) before the node's backward; a tuple that it returns replaces them."""
    return RemovableHandle(hooks_of(node).before_backward, hook)


def register_node_hook(node, hook):
    """Call hook(grad_inputs, grad_outputs) after the node's backward; it may replace the first."""
    return RemovableHandle(hooks_of(node).after_backward, hook)


Node.register_prehook = register_prehook
Node.register_hook = register_node_hook
