using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace Stout.Tests.Shared;

/// <summary>The texts from which a store makes its statements: the assembly's literals and embedded scripts.</summary>
internal static class StatementTexts
{
    /// <summary>Checks that all texts are ASCII, since the encoding of a database or a session may lack other characters.</summary>
    public static void AssertAscii(Assembly store)
    {
        var texts = 0;
        foreach (var text in Literals(store).Concat(Scripts(store)))
        {
            texts++;
            Assert.True(text.All(char.IsAscii), $"A statement may contain: {text}");
        }

        Assert.True(texts > 20, "The assembly's texts were not found.");
    }

    private static List<string> Literals(Assembly store)
    {
        using var file = new PEReader(File.OpenRead(store.Location));
        var reader = file.GetMetadataReader();
        var literals = new List<string>();
        for (var handle = MetadataTokens.UserStringHandle(1); !handle.IsNil; handle = reader.GetNextHandle(handle))
            literals.Add(reader.GetUserString(handle));
        return literals;
    }

    private static IEnumerable<string> Scripts(Assembly store)
    {
        foreach (var name in store.GetManifestResourceNames())
        {
            using var script = new StreamReader(store.GetManifestResourceStream(name)!);
            yield return script.ReadToEnd();
        }
    }
}
