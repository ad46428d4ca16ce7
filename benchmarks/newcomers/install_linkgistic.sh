python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check "$LINKGISTIC_ROOT"/dist/linkgistic-*-cp311-*.whl  # of make wheel
venv/bin/python -c 'import linkgistic; print("linkgistic", linkgistic.__version__)'
