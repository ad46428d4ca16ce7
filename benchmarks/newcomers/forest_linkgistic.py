from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from linkgistic import CalibratedClassifier, CalibrationDisplay

X, y = load_digits(return_X_y=True)
X, X_test, y, y_test = train_test_split(X, y % 2, random_state=0)
model = CalibratedClassifier(RandomForestClassifier(random_state=0), cv=5).fit(X, y)
CalibrationDisplay.from_estimator(model, X_test, y_test).figure_.savefig("reliability.png")
print(f"log loss {log_loss(y_test, model.predict_proba(X_test)):.4f}, picture with a band")
