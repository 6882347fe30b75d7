"""Distances between vectors, as modules."""

from tinytorch.nn.function_module import FunctionModule
from tinytorch.ops.distances import cosine_similarity, pairwise_distance


class Distance(FunctionModule):
    """A distance with its settings, which are not printed."""

    def extra_repr(self):
        return ""


class CosineSimilarity(Distance, function=cosine_similarity):
    """cosine_similarity() as a module."""


class PairwiseDistance(Distance, function=pairwise_distance):
    """pairwise_distance() as a module."""
