using System.Buffers.Binary;
using System.Text;

namespace Stout.OpenTelemetry.Tests;

/// <summary>The fields of one protobuf message, as they stand on the wire: enough to read OTLP without its generated classes.</summary>
internal sealed class ProtobufReader
{
    private readonly List<(int Field, ulong Number, ReadOnlyMemory<byte> Bytes)> _fields = [];

    public ProtobufReader(ReadOnlyMemory<byte> message)
    {
        while (message.Length > 0)
        {
            var tag = Varint(ref message);
            var field = (int)(tag >> 3);
            switch (tag & 7)
            {
                case 0:
                    _fields.Add((field, Varint(ref message), default));
                    break;
                case 1:
                    _fields.Add((field, BinaryPrimitives.ReadUInt64LittleEndian(message.Span), message[..8]));
                    message = message[8..];
                    break;
                case 2:
                    var length = (int)Varint(ref message);
                    _fields.Add((field, 0, message[..length]));
                    message = message[length..];
                    break;
                case 5:
                    _fields.Add((field, BinaryPrimitives.ReadUInt32LittleEndian(message.Span), message[..4]));
                    message = message[4..];
                    break;
                default:
                    throw new InvalidDataException($"Wire type {tag & 7} is not of this protocol.");
            }
        }
    }

    public IEnumerable<ProtobufReader> Messages(int field) => _fields.Where(known => known.Field == field).Select(known => new ProtobufReader(known.Bytes));

    public ProtobufReader? Message(int field) => Messages(field).FirstOrDefault();

    public bool Has(int field) => _fields.Exists(known => known.Field == field);

    public string Text(int field) => Encoding.UTF8.GetString(Bytes(field).Span);

    public string Hex(int field) => Convert.ToHexStringLower(Bytes(field).Span);

    public ulong Number(int field) => _fields.LastOrDefault(known => known.Field == field).Number;

    public double Double(int field) => BitConverter.UInt64BitsToDouble(Number(field));

    private ReadOnlyMemory<byte> Bytes(int field) => _fields.LastOrDefault(known => known.Field == field).Bytes;

    private static ulong Varint(ref ReadOnlyMemory<byte> message)
    {
        ulong value = 0;
        for (var shift = 0; ; shift += 7)
        {
            var next = message.Span[0];
            message = message[1..];
            value |= (ulong)(next & 0x7F) << shift;
            if (next < 0x80)
                return value;
        }
    }
}
