using Stout.Argon.Exceptions;

namespace Stout.Argon.Tests.Engine;

/// <summary>The engine on real files.</summary>
public sealed class FileTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public async Task An_object_behaves_as_an_array_through_evictions_and_new_openings(int seed)
    {
        var random = new Random(seed);
        var model = new byte[3 << 20];
        var length = 0;
        var server = TestServer.Open(_folder.Path);
        var first = await server.AddService("first").Create("object");
        var second = await server.AddService("second", 2).Open("object");
        for (var step = 0; step < 400; step++)
        {
            var one = random.Next(2) == 0 ? first : second;
            var offset = random.Next(random.Next(4) == 0 ? model.Length - 300_000 : 200_000);
            var bytes = new byte[random.Next(1, random.Next(8) == 0 ? 300_000 : 9_000)];
            switch (random.Next(12))
            {
                case < 5:
                    random.NextBytes(bytes);
                    if (random.Next(2) == 0)
                        one.Write(offset, bytes);
                    else
                        await one.WriteAsync(offset, bytes, TestContext.Current.CancellationToken);
                    bytes.CopyTo(model, offset);
                    length = Math.Max(length, offset + bytes.Length);
                    break;
                case < 9:
                    var read = random.Next(2) == 0 ? one.Read(offset, bytes) : await one.ReadAsync(offset, bytes, TestContext.Current.CancellationToken);
                    Assert.Equal(Math.Clamp(length - offset, 0, bytes.Length), read);
                    Assert.True(bytes.AsSpan(0, read).SequenceEqual(model.AsSpan(offset, read)), $"step {step}");
                    break;
                case 9:
                    var shorter = random.Next(length + 5_000);
                    one.Resize(shorter);
                    if (shorter < length)
                        model.AsSpan(shorter, length - shorter).Clear();
                    length = shorter;
                    break;
                case 10:
                    await one.FlushAsync(TestContext.Current.CancellationToken);
                    break;
                default:
                    one.Flush();
                    server.Dispose();
                    server = TestServer.Open(_folder.Path);
                    first = await server.AddService("first").Open("object");
                    second = await server.AddService("second", 2).Open("object");
                    Assert.Equal(length, first.Length);
                    break;
            }
        }

        server.Dispose();
    }

    [Fact]
    public async Task A_shorter_length_is_on_the_disk_when_the_resize_returns()
    {
        using var copies = new TemporaryFolder();
        using var server = TestServer.Open(_folder.Path);
        var handle = await server.AddService("one").Create("object");
        handle.Write(0, new byte[20_000]);
        handle.Flush();
        handle.Resize(5_000);
        // The copy is the file as after a crash: without another flush and without the end of the server.
        File.Copy(Path.Combine(_folder.Path, "object.argon"), Path.Combine(copies.Path, "object.argon"));
        using var other = TestServer.Open(copies.Path);
        Assert.Equal(5_000, (await other.AddService("one").Open("object")).Length);
        Assert.Equal(5_000, handle.Length);
    }

    [Fact]
    public async Task Objects_are_created_listed_and_deleted()
    {
        using var server = TestServer.Open(_folder.Path);
        var service = server.AddService("one");
        (await service.Create("b")).Write(0, [1, 2, 3]);
        await service.Create("a");
        Assert.Equal(["a", "b"], await service.List());
        await Assert.ThrowsAsync<ObjectExistsException>(() => service.Create("a"));
        await service.Delete("b");
        Assert.Equal(["a"], await service.List());
        await Assert.ThrowsAsync<ObjectNotFoundException>(() => service.Open("b"));
        await Assert.ThrowsAsync<ObjectNotFoundException>(() => service.Delete("b"));
        Assert.Equal(0, (await service.Create("b")).Length);
    }

    [Fact]
    public async Task Many_threads_read_what_was_written_whole()
    {
        using var server = TestServer.Open(_folder.Path);
        var writer = await server.AddService("writer").Create("object");
        const int Blocks = 600;
        writer.Write(0, new byte[Blocks * 4096]);
        var ended = false;
        var readers = Enumerable.Range(0, 3).Select(i => Task.Run(async () =>
        {
            var random = new Random(i);
            var handle = await server.AddService($"reader {i}").Open("object");
            var block = new byte[4096];
            while (!Volatile.Read(ref ended))
            {
                handle.Read(random.Next(Blocks) * 4096L, block);
                Assert.True(block.AsSpan().IndexOfAnyExcept(block[0]) < 0, "a block is a mix of two writes");
            }
        })).ToList();
        var source = new Random(9);
        var bytes = new byte[4096];
        for (var i = 0; i < 2000; i++)
        {
            Array.Fill(bytes, (byte)i);
            writer.Write(source.Next(Blocks) * 4096L, bytes);
            if (i % 500 == 0)
                writer.Flush();
        }

        Volatile.Write(ref ended, true);
        await Task.WhenAll(readers);
    }

    [Fact]
    public async Task A_cached_read_allocates_nothing()
    {
        using var server = TestServer.Open(_folder.Path);
        var handle = await server.AddService("one").Create("object");
        handle.Write(0, new byte[100 * 4096]);
        var block = new byte[4096];
        // One pass fills the engine's pools. Unoptimized code must not allocate either.
        for (var i = 0; i < 3_000; i++)
            handle.Read(i % 100 * 4096L, block);
        // Allocations of each read are in every pass; a single one, such as by the engine's timed work, is not.
        var least = long.MaxValue;
        for (var pass = 0; pass < 5; pass++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < 10_000; i++)
                handle.Read(i % 100 * 4096L, block);
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal(0, least);
    }
}
