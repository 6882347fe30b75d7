"""What a proof comes to."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Problem:
    """Why the course is not sound at one place, in one line."""

    where: str
    says: str

    def __str__(self):
        return f"{self.where}: {self.says}"


@dataclass
class Result:
    """The figures of a proof, the problems that it found, and what else one should know."""

    figures: str
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
