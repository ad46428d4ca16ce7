// The whole public interface, for those who do not choose among its headers.
#pragma once

#include <linkgistic/calibrator.hpp>
#include <linkgistic/class_calibrator.hpp>
#include <linkgistic/curve_answer.hpp>
#include <linkgistic/dataset.hpp>
#include <linkgistic/error.hpp>
#include <linkgistic/export.hpp>
#include <linkgistic/feature_encoding.hpp>
#include <linkgistic/feature_rows.hpp>
#include <linkgistic/inference.hpp>
#include <linkgistic/label_encoding.hpp>
#include <linkgistic/learned_class_loss.hpp>
#include <linkgistic/learned_loss.hpp>
#include <linkgistic/linkgistic_classifier.hpp>
#include <linkgistic/missing_values.hpp>
#include <linkgistic/monotone_regression.hpp>
#include <linkgistic/parameters.hpp>
#include <linkgistic/portable.hpp>
#include <linkgistic/progress.hpp>
#include <linkgistic/response.hpp>
#include <linkgistic/rows.hpp>
#include <linkgistic/source.hpp>
#include <linkgistic/version.hpp>
