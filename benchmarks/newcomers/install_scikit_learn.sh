python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check scikit-learn
venv/bin/python -c 'import sklearn; print("scikit-learn", sklearn.__version__)'
