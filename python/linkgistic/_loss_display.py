"""A learned loss, drawn with the loss that it started from."""

import numpy as np

from ._display import _axes, _check_line
from ._keywords import refuses_unknown_keywords
from ._options import whole


@refuses_unknown_keywords
class LossDisplay:
    """A `LearnedLoss` of both labels against the score, drawn with its base loss.

    Parameters
    ----------
    score : ndarray of shape (n,)
        Scores.
    values, base_values : ndarray of shape (2, n)
        The loss and its base loss of the labels 0 and 1.
    base : str, default='log'
        Name of the base loss.
    name : str or None, default=None
        Name in the legend.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes with the drawing.
    figure_ : matplotlib Figure
        The figure of the axes.
    lines_, base_lines_ : list of matplotlib artists
        Lines of the labels 0 and 1.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from linkgistic import LearnedLoss, LossDisplay
    >>> LossDisplay.from_loss(LearnedLoss()).ax_.get_ylabel()
    'loss'
    """

    def __init__(self, *, score, values, base_values, base="log", name=None):
        self.score = score
        self.values = values
        self.base_values = base_values
        self.base = base
        self.name = name

    def plot(self, ax=None, *, name=None, **line):
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            Axes to draw on; None: new axes.
        name : str or None, default=None
            Name in the legend.
        **line : dict
            Keywords for matplotlib's `plot` of the loss.

        Returns
        -------
        display : LossDisplay
            The display itself.
        """
        _check_line(f"{type(self).__name__}.plot", line, self.plot)
        self.ax_ = ax = _axes(ax)
        self.figure_ = ax.figure
        name = line.pop("label", None) or name or self.name or "learned loss"
        self.lines_, self.base_lines_ = [], []
        for label in (0, 1):
            base = f"{self.base} loss" if label == 0 else None
            self.base_lines_ += ax.plot(self.score, self.base_values[label], "--", color="grey", label=base)
            self.lines_ += ax.plot(self.score, self.values[label], **{"label": f"{name}, y = {label}", **line})
        ax.set_xlabel("score")
        ax.set_ylabel("loss")
        ax.legend()
        return self

    @classmethod
    def from_loss(cls, loss, *, points=201, ax=None, name=None, **line):
        """Draw a loss over the scores that it was learned on.

        Parameters
        ----------
        loss : LearnedLoss
            The loss.
        points : int, default=201
            Number of points of each curve.
        ax : matplotlib Axes or None, default=None
            Axes to draw on; None: new axes.
        name : str or None, default=None
            Name in the legend.
        **line : dict
            Keywords for matplotlib's `plot` of the loss.

        Returns
        -------
        display : LossDisplay
            The display, drawn.
        """
        from ._loss import LearnedLoss

        _check_line(f"{cls.__name__}.from_loss", line, cls.from_loss)
        if not isinstance(loss, LearnedLoss):
            raise TypeError(f"loss: a {type(loss).__name__} cannot be drawn against one score, give a LearnedLoss")
        score = np.linspace(*loss.score_range, whole(points, "points", 2))
        base = LearnedLoss(loss.base)
        values, base_values = (
            np.array([one(np.full(score.size, label), score) for label in (0, 1)]) for one in (loss, base)
        )
        return cls(score=score, values=values, base_values=base_values, base=loss.base, name=name).plot(ax, **line)
