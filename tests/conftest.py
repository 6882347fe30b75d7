"""Makes the graded suites run under plain pytest too: pytest tests/chapter03."""

pytest_plugins = ["course.grading.plugin"]
