"""The table of a classifier's coefficients."""

from html import escape

import numpy as np


class CoefficientTable:
    """Coefficients of two classes with their errors, as text, HTML and a DataFrame.

    Estimates are in the units of the columns, on the scale where the link has unit mean slope. `effect` is the average
    marginal effect, the mean over the rows of the derivative of the probability in the feature; its interval carries the
    uncertainty of the link.

    Attributes
    ----------
    columns : dict of str to list or ndarray
        The columns by name: ``name``, ``estimate``, ``error``, ``z``, ``p_value``, ``lower``, ``upper``,
        ``odds_ratio`` (where the link is the logit), ``effect``, ``effect_error``, ``effect_lower``, ``effect_upper``.
    title : str
        What the errors are: those of the posterior, or sandwich errors.
    """

    def __init__(self, table, interval, robust, link_test):
        logit = table.pop("logit")
        columns = dict(table)
        if logit:
            ratio = np.exp(columns["estimate"])
            ratio[0] = np.nan
            before = ("name", "estimate", "error", "z", "p_value", "lower", "upper")
            columns = {k: columns[k] for k in before} | {"odds_ratio": ratio} | columns
        for key in ("effect", "effect_error", "effect_lower", "effect_upper"):
            columns[key] = columns[key].copy()
            columns[key][0] = np.nan
        self.columns = columns
        kind = "Confidence (sandwich errors)" if robust else "Posterior"
        self.title = f"{kind} of the coefficients, unit mean slope of the link, {interval:.0%} intervals"
        self.link_test = link_test

    def to_frame(self):
        """The table as a DataFrame, indexed by the names of the features."""
        import pandas as pd

        return pd.DataFrame({k: v for k, v in self.columns.items() if k != "name"}, index=self.columns["name"])

    def _cells(self):
        heads = [k for k in self.columns if k != "name"]
        rows = []
        for i, name in enumerate(self.columns["name"]):
            values = [self.columns[k][i] for k in heads]
            rows.append([name, *("" if np.isnan(v) else f"{v:.4g}" for v in values)])
        return ["", *heads], rows

    def __str__(self):
        heads, rows = self._cells()
        widths = [max(len(r[i]) for r in [heads, *rows]) for i in range(len(heads))]
        lines = [
            r[0].ljust(widths[0]) + "".join("  " + c.rjust(w) for c, w in zip(r[1:], widths[1:], strict=True))
            for r in [heads, *rows]
        ]
        return "\n".join([self.title, *lines, *([self.link_test] if self.link_test else [])])

    __repr__ = __str__

    def _repr_html_(self):
        heads, rows = self._cells()
        head = "".join(f"<th>{escape(h)}</th>" for h in heads)
        body = "".join(
            "<tr><th>" + escape(r[0]) + "</th>" + "".join(f"<td>{escape(c)}</td>" for c in r[1:]) + "</tr>" for r in rows
        )
        note = f"<p>{escape(self.link_test)}</p>" if self.link_test else ""
        return f"<table><caption>{escape(self.title)}</caption><tr>{head}</tr>{body}</table>{note}"
