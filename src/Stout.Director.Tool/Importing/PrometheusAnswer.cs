using System.Text.Json;

namespace Stout.Director.Tool.Importing;

/// <summary>Reads the answer of Prometheus' <c>/api/v1/query_range</c>, sample by sample.</summary>
internal sealed class PrometheusAnswer(JsonTokens tokens, string place)
{
    /// <summary>Receives a sample: the labels, the Unix time in seconds, and the value.</summary>
    public delegate void Sample(IReadOnlyDictionary<string, string> labels, double time, double value);

    /// <summary>Warnings of the server.</summary>
    public List<string> Warnings { get; } = [];

    /// <summary>Reads the answer.</summary>
    /// <exception cref="ImportException">The answer is an error, has another form, or a series is out of order.</exception>
    public void Read(Sample sample)
    {
        var (status, error, hasData) = ("", "", false);
        tokens.Read(JsonTokenType.StartObject, "an answer of Prometheus");
        foreach (var name in Properties())
        {
            switch (name)
            {
                case "status":
                    tokens.Read(JsonTokenType.String, "a status");
                    status = tokens.Text;
                    break;
                case "error":
                    tokens.Read(JsonTokenType.String, "an error");
                    error = tokens.Text;
                    break;
                case "warnings" or "infos":
                    Warnings.AddRange(Texts());
                    break;
                case "data":
                    hasData = true;
                    ReadData(sample);
                    break;
                default:
                    tokens.SkipValue();
                    break;
            }
        }

        if (status != "success")
            throw new ImportException(place, error.Length > 0 ? $"Prometheus answers: {error}" : $"the status is \"{status}\", not \"success\".");
        if (!hasData)
            throw new ImportException(place, "the answer has no data.");
    }

    private void ReadData(Sample sample)
    {
        tokens.Read(JsonTokenType.StartObject, "data");
        foreach (var name in Properties())
        {
            if (name == "resultType")
            {
                tokens.Read(JsonTokenType.String, "a type of result");
                if (tokens.Text != "matrix")
                    throw new ImportException(place, $"the answer is a {tokens.Text}; a matrix is needed, which is the answer to query_range.");
            }
            else if (name == "result")
            {
                tokens.Read(JsonTokenType.StartArray, "a list of series");
                for (tokens.Read(); tokens.Type != JsonTokenType.EndArray; tokens.Read())
                    ReadSeries(sample);
            }
            else
            {
                tokens.SkipValue();
            }
        }
    }

    private void ReadSeries(Sample sample)
    {
        if (tokens.Type != JsonTokenType.StartObject)
            throw tokens.Unexpected("a series");
        Dictionary<string, string>? labels = null;
        foreach (var name in Properties())
        {
            switch (name)
            {
                case "metric":
                    labels = ReadLabels();
                    break;
                case "values":
                    ReadValues(labels ?? throw tokens.Unexpected("\"metric\" before \"values\""), sample);
                    break;
                case "histograms":
                    throw new ImportException(place, "the answer has native histograms. Ask for classic buckets, with the label le.");
                default:
                    tokens.SkipValue();
                    break;
            }
        }
    }

    private Dictionary<string, string> ReadLabels()
    {
        var labels = new Dictionary<string, string>();
        tokens.Read(JsonTokenType.StartObject, "labels");
        foreach (var name in Properties())
        {
            tokens.Read(JsonTokenType.String, "a label's value");
            labels[name] = tokens.Text;
        }

        return labels;
    }

    private void ReadValues(Dictionary<string, string> labels, Sample sample)
    {
        tokens.Read(JsonTokenType.StartArray, "a list of samples");
        var before = double.NegativeInfinity;
        for (tokens.Read(); tokens.Type != JsonTokenType.EndArray; tokens.Read())
        {
            if (tokens.Type != JsonTokenType.StartArray)
                throw tokens.Unexpected("a sample");
            tokens.Read(JsonTokenType.Number, "a time");
            var time = tokens.Number();
            tokens.Read(JsonTokenType.String, "a value");
            var value = tokens.Number();
            tokens.Read(JsonTokenType.EndArray, "the end of a sample");
            if (time == before)
                throw new ImportException(tokens.Place, $"{Grid.Words(time)} is there twice in a series.");
            if (time < before)
                throw new ImportException(tokens.Place, $"{Grid.Words(time)} comes after {Grid.Words(before)}. Times have to ascend.");
            sample(labels, before = time, value);
        }
    }

    private List<string> Texts()
    {
        var texts = new List<string>();
        tokens.Read(JsonTokenType.StartArray, "a list of texts");
        for (tokens.Read(); tokens.Type != JsonTokenType.EndArray; tokens.Read())
            texts.Add(tokens.Text);
        return texts;
    }

    // The names of an object's properties; the caller reads each value.
    private IEnumerable<string> Properties()
    {
        for (tokens.Read(); tokens.Type != JsonTokenType.EndObject; tokens.Read())
        {
            if (tokens.Type != JsonTokenType.PropertyName)
                throw tokens.Unexpected("a name");
            yield return tokens.Text;
        }
    }
}
