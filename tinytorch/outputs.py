"""Operations with several results: a node for each, which files its gradient under its number."""

from tinytorch.node import Node, Rule, freed_error


class Parts(dict):
    """The gradients of an operation's `count` results, {number of the result: gradient}.

    Two of these add up, so that the engine treats them like any other gradient.
    """

    __slots__ = ("count",)

    def __init__(self, count, grads):
        super().__init__(grads)
        self.count = count

    def __add__(self, other):
        for index, grad in other.items():  # in place: nobody but the engine holds it
            self[index] = self[index] + grad if index in self else grad
        return self


class OutputNode(Node):
    """One of `count` results of an operation: it files its gradient under its number."""

    __slots__ = ("count", "index")
    rule_of_output = Rule("Output", (), saves_arrays=False)

    def __init__(self, node, index, count):
        super().__init__(self.rule_of_output, (node,), ())
        self.index = index
        self.count = count

    def backward(self, grad):
        if self.freed:
            raise freed_error("this result")
        return (Parts(self.count, {self.index: grad}),)

    def name(self):
        return self.edges[0].name() if self.edges else "Output"

    def as_function(self):
        return (self.edges[0], self.index) if self.edges else (self, self.index)
