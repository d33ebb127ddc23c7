using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Orleans.Hosting;
using Stout.Documents;
using Stout.Orleans.Tests.Grains;
using Stout.Storage;

namespace Stout.Orleans.Tests;

/// <summary>An asynchronous function, whose later changes would be lost, does not compile; generic code gets an exception before the function runs.</summary>
public sealed class AsynchronousFunctionTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("state.Change(async s => { await Task.Yield(); s.Items.Add(\"a\"); });")]
    [InlineData("await state.Change(async s => { await Task.Yield(); s.Items.Add(\"a\"); });")]
    [InlineData("var n = await state.Change(async s => { await Task.Yield(); return 1; }, \"part\");")]
    [InlineData("await state.Change(static async s => await Task.Delay(1));")]
    [InlineData("await state.Change(LaterAsync);")]
    [InlineData("await state.Change(s => LaterAsync(s));")]
    [InlineData("await notes.UpdateAsync(\"a\", async n => { await Task.Yield(); return n; });")]
    [InlineData("await notes.UpdateAsync(\"a\", 1, async (n, s) => { await Task.Yield(); return n; }, token);")]
    [InlineData("await notes.ChangeAsync(\"a\", async e => { await Task.Yield(); e.Delete(); });")]
    [InlineData("await notes.ChangeAsync(\"a\", async e => { await Task.Yield(); return 1; }, token);")]
    [InlineData("await notes.ChangeAsync(\"a\", 1, static async (e, s) => { await Task.Yield(); return s; });")]
    [InlineData("await notes.ReadAsync(\"a\", async v => { await Task.Yield(); return 1; });")]
    [InlineData("await notes.ReadAsync(\"a\", async v => { await Task.Yield(); return 1; }, Freshness.Confirmed);")]
    [InlineData("await notes.ReadAsync(\"a\", 1, async (v, s) => { await Task.Yield(); return s; }, token);")]
    [InlineData("handle.MarkDirty(default, 1, async (s, r) => await Task.Delay(1));")]
    [InlineData("handle.SendMessageWhenSafe(1, static async (s, r) => { await Task.Yield(); });")]
    [InlineData("handle.SendMessageWhenSafe(1, (s, r) => Task.Delay(1));")]
    public void An_asynchronous_function_does_not_compile(string statement)
    {
        var error = Assert.Single(ErrorsOf(statement));
        Assert.Equal("CS0619", error.Id);
        Assert.Contains(
            statement.StartsWith("handle", StringComparison.Ordinal) ? SynchronousFunction.CallbackMessage : SynchronousFunction.Message,
            error.GetMessage(System.Globalization.CultureInfo.InvariantCulture),
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("state.Change(s => s.Items.Add(\"a\"));")]
    [InlineData("int n = state.Change(s => s.Items.Count);")]
    [InlineData("state.Change(s => s.Items = new());")]
    [InlineData("state.Change(s => { s.Items.Add(\"a\"); }, \"part\");")]
    [InlineData("state.Change(s => throw new System.Exception());")]
    [InlineData("state.Change<int>(s => throw new System.Exception());")]
    [InlineData("state.Change(s => { if (s.Items.Count > 1) throw new System.Exception(); return \"a\"; });")]
    [InlineData("state.Change(Now); int n = state.Change(Count);")]
    [InlineData("await notes.UpdateAsync(\"a\", n => n + \"b\");")]
    [InlineData("await notes.UpdateAsync(\"a\", n => null, token); await notes.UpdateAsync(\"a\", _ => throw new System.Exception());")]
    [InlineData("await notes.UpdateAsync(\"a\", 1, static (n, s) => n + s); await notes.UpdateAsync(\"a\", 1, static (n, s) => throw new System.Exception(), token);")]
    [InlineData("int n = await notes.ChangeAsync(\"a\", e => 1); await notes.ChangeAsync<int>(\"a\", e => throw new System.Exception());")]
    [InlineData("await notes.ChangeAsync(\"a\", e => e.Exists); await notes.ChangeAsync(\"a\", 1, static (e, s) => s, token);")]
    [InlineData("string? n = await notes.ReadAsync(\"a\", v => v[\"\"]); await notes.ReadAsync<int>(\"a\", v => throw new System.Exception(), token);")]
    [InlineData("await notes.ReadAsync(\"a\", v => v[\"\"], Freshness.Confirmed, token); await notes.ReadAsync(\"a\", 1, static (v, s) => s);")]
    [InlineData("handle.MarkDirty(default, 1, (s, r) => { }); handle.MarkDirty(default, 1, (s, r) => throw new System.Exception());")]
    [InlineData("handle.SendMessageWhenSafe(new TaskCompletionSource(), static (s, r) => s.TrySetResult()); handle.SendMessageWhenSafe(1, Released);")]
    public void A_synchronous_function_compiles(string statement) => Assert.Empty(ErrorsOf(statement));

    [Fact]
    public async Task Generic_code_is_refused_before_its_function_runs()
    {
        await using var documents = await DocumentStore.OpenAsync(new InMemoryStore(), cancellationToken: Token);
        var notes = documents.GetCollection<string>("notes");
        await RefusedAsync(notes, Task.CompletedTask);
        await RefusedAsync(notes, Task.FromResult(1));
        await RefusedAsync(notes, default(ValueTask));
        await RefusedAsync(notes, new ValueTask<int>(1));
        await RefusedAsync(notes, AsyncEnumerable.Empty<int>());
        Assert.Equal(1, await notes.ChangeAsync("a", _ => 1, Token));
    }

    [Fact]
    public void Provider_is_not_configured_by_an_asynchronous_function()
    {
        var services = new ServiceCollection();
        IsRefused("configureStout", () => services.AddStoutGrainStorage("a", async stout =>
        {
            await Task.Yield();
            stout.UseInMemory();
        }));
        IsRefused("configureOptions", () => services.AddStoutGrainStorage("b", static stout => stout.UseInMemory(), async (StoutGrainStorageOptions options) =>
        {
            await Task.Yield();
            options.DeleteStateOnClear = true;
        }));
        IsRefused("configureOptions", () => services.AddStoutGrainStorage("c", static stout => stout.UseInMemory(), async (OptionsBuilder<StoutGrainStorageOptions> options) =>
        {
            await Task.Yield();
            options.Configure(static options => options.DeleteStateOnClear = true);
        }));

        static void IsRefused(string parameter, Action add) => Assert.Equal(parameter, Assert.Throws<ArgumentException>(add).ParamName);
    }

    private static async Task RefusedAsync<TResult>(DocumentCollection<string> notes, TResult result)
    {
        var runs = 0;
        TResult Run()
        {
            runs++;
            return result;
        }

        await IsRefusedAsync("change", () => notes.ChangeAsync("a", _ => Run(), Token));
        await IsRefusedAsync("change", () => notes.ChangeAsync("a", 1, (_, _) => Run(), Token));
        await IsRefusedAsync("read", () => notes.ReadAsync("a", _ => Run(), Token));
        await IsRefusedAsync("read", () => notes.ReadAsync("a", _ => Run(), Freshness.Memory, Token));
        await IsRefusedAsync("read", () => notes.ReadAsync("a", 1, (_, _) => Run(), Token));
        Assert.Equal(0, runs);
    }

    private static async Task IsRefusedAsync<TResult>(string parameter, Func<ValueTask<TResult>> call) =>
        Assert.Equal(parameter, (await Assert.ThrowsAsync<ArgumentException>(async () => await call())).ParamName);

    private static Diagnostic[] ErrorsOf(string statement)
    {
        var code = $$"""
            #nullable enable
            using System.Threading;
            using System.Threading.Tasks;
            using Stout;
            using Stout.Documents;
            using Stout.Orleans;
            using Stout.Orleans.Tests.Grains;

            static class Code
            {
                static async Task RunAsync(IStoutState<Cart> state, DocumentCollection<string> notes, KeyHandle handle, CancellationToken token)
                {
                    {{statement}}
                    await Task.Yield();
                }

                static Task LaterAsync(Cart cart) => Task.CompletedTask;
                static void Now(Cart cart) => cart.Items.Clear();
                static int Count(Cart cart) => cart.Items.Count;
                static void Released(int state, MessageRelease release) { }
            }
            """;
        var files = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
        return
        [
            .. CSharpCompilation.Create(
                "code",
                [CSharpSyntaxTree.ParseText(code, cancellationToken: Token)],
                files.Select(file => MetadataReference.CreateFromFile(file)),
                new(OutputKind.DynamicallyLinkedLibrary))
                .GetDiagnostics(Token).Where(diagnostic => diagnostic.Severity == DiagnosticSeverity.Error),
        ];
    }
}
