using MathNet.Numerics.LinearAlgebra;

namespace Stout.Director.Models;

/// <summary>Logistic regression with a ridge term, by Newton's method with halved steps.</summary>
internal static class LogisticRegression
{
    private const int MostSteps = 200;
    private const double Enough = 1e-9;

    /// <summary>
    /// The weights that maximize the penalized likelihood. The first feature is the constant 1. Its penalty is a thousandth of the others', which
    /// only keeps the linear system regular.
    /// </summary>
    public static double[] Fit(double[][] features, double[] labels, double ridge)
    {
        var x = Matrix<double>.Build.DenseOfRowArrays(features);
        var y = Vector<double>.Build.Dense(labels);
        var penalty = Vector<double>.Build.Dense(x.ColumnCount, i => (i == 0 ? 1e-3 : 1) * ridge * labels.Length);
        var weights = Vector<double>.Build.Dense(x.ColumnCount);
        var loss = Loss(weights);
        for (var step = 0; step < MostSteps; step++)
        {
            var p = (x * weights).Map(Sigmoid);
            var gradient = x.TransposeThisAndMultiply(p - y) + penalty.PointwiseMultiply(weights);
            var curvature = p.PointwiseMultiply(1 - p);
            var hessian = x.TransposeThisAndMultiply(Matrix<double>.Build.Dense(x.RowCount, x.ColumnCount, (i, j) => x[i, j] * curvature[i])) + Matrix<double>.Build.DenseOfDiagonalVector(penalty);
            var direction = hessian.Cholesky().Solve(gradient);
            var length = 1.0;
            var next = weights - direction;
            while (Loss(next) > loss && length > 1e-6)
                next = weights - (length /= 2) * direction;
            var nextLoss = Loss(next);
            weights = next;
            if (loss - nextLoss < Enough)
                break;
            loss = nextLoss;
        }

        return [.. weights];

        double Loss(Vector<double> w)
        {
            var z = x * w;
            var sum = 0.5 * penalty.DotProduct(w.PointwiseMultiply(w));
            for (var i = 0; i < z.Count; i++)
                sum += Math.Max(z[i], 0) - z[i] * y[i] + Math.Log(1 + Math.Exp(-Math.Abs(z[i])));
            return sum;
        }
    }

    private static double Sigmoid(double z) => 1 / (1 + Math.Exp(-z));
}
