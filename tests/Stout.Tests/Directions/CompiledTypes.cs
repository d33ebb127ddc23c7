using System.Collections.Immutable;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace Stout.Tests.Directions;

/// <summary>
/// The types of a compiled assembly, and the types that each of them uses: as a base type, field, parameter, local, or operand of an instruction. A nested type, such
/// as a compiler's closure, counts as a part of the outermost type.
/// </summary>
internal sealed class CompiledTypes : ISignatureTypeProvider<ImmutableArray<string>, object?>, IDisposable
{
    private static readonly Dictionary<short, OpCode> Codes = typeof(OpCodes).GetFields()
        .Select(field => (OpCode)field.GetValue(null)!)
        .ToDictionary(code => code.Value);

    private readonly PEReader _file;
    private readonly MetadataReader _reader;

    public CompiledTypes(System.Reflection.Assembly assembly)
    {
        _file = new PEReader(File.OpenRead(assembly.Location));
        _reader = _file.GetMetadataReader();
        foreach (var handle in _reader.TypeDefinitions)
        {
            var user = OutermostOf(handle);
            if (!Uses.TryGetValue(user, out var used))
                Uses[user] = used = [];
            AddUsesOf(_reader.GetTypeDefinition(handle), used);
        }
    }

    /// <summary>By the full name of a type: the full names of the types that it uses. Generic types have names such as <c>Task`1</c>.</summary>
    public Dictionary<string, HashSet<string>> Uses { get; } = [];

    public void Dispose() => _file.Dispose();

    private void AddUsesOf(TypeDefinition type, HashSet<string> used)
    {
        Add(type.BaseType, used);
        foreach (var implemented in type.GetInterfaceImplementations())
            Add(_reader.GetInterfaceImplementation(implemented).Interface, used);
        foreach (var field in type.GetFields())
            used.UnionWith(_reader.GetFieldDefinition(field).DecodeSignature(this, null));
        foreach (var handle in type.GetMethods())
        {
            var method = _reader.GetMethodDefinition(handle);
            Add(method.DecodeSignature(this, null), used);
            if (method.RelativeVirtualAddress == 0)
                continue;
            var body = _file.GetMethodBody(method.RelativeVirtualAddress);
            if (!body.LocalSignature.IsNil)
                used.UnionWith(_reader.GetStandaloneSignature(body.LocalSignature).DecodeLocalSignature(this, null).SelectMany(local => local));
            AddOperands(body.GetILReader(), used);
        }
    }

    private void AddOperands(BlobReader code, HashSet<string> used)
    {
        while (code.RemainingBytes > 0)
        {
            short value = code.ReadByte();
            if (value == 0xfe)
                value = (short)((0xfe << 8) | code.ReadByte());
            switch (Codes[value].OperandType)
            {
                case OperandType.InlineNone:
                    break;
                case OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar:
                    code.Offset += 1;
                    break;
                case OperandType.InlineVar:
                    code.Offset += 2;
                    break;
                case OperandType.InlineI8 or OperandType.InlineR:
                    code.Offset += 8;
                    break;
                case OperandType.InlineSwitch:
                    var targets = code.ReadInt32();
                    code.Offset += 4 * targets;
                    break;
                case OperandType.InlineField or OperandType.InlineMethod or OperandType.InlineType or OperandType.InlineTok:
                    Add(MetadataTokens.EntityHandle(code.ReadInt32()), used);
                    break;
                default:
                    code.Offset += 4;
                    break;
            }
        }
    }

    private void Add(EntityHandle handle, HashSet<string> used)
    {
        if (handle.IsNil)
            return;
        switch (handle.Kind)
        {
            case HandleKind.TypeDefinition or HandleKind.TypeReference or HandleKind.TypeSpecification:
                used.UnionWith(NamesOf(handle));
                break;
            case HandleKind.FieldDefinition:
                var field = _reader.GetFieldDefinition((FieldDefinitionHandle)handle);
                Add(field.GetDeclaringType(), used);
                used.UnionWith(field.DecodeSignature(this, null));
                break;
            case HandleKind.MethodDefinition:
                var method = _reader.GetMethodDefinition((MethodDefinitionHandle)handle);
                Add(method.GetDeclaringType(), used);
                Add(method.DecodeSignature(this, null), used);
                break;
            case HandleKind.MethodSpecification:
                var specification = _reader.GetMethodSpecification((MethodSpecificationHandle)handle);
                Add(specification.Method, used);
                used.UnionWith(specification.DecodeSignature(this, null).SelectMany(argument => argument));
                break;
            case HandleKind.MemberReference:
                var member = _reader.GetMemberReference((MemberReferenceHandle)handle);
                Add(member.Parent, used);
                if (member.GetKind() == MemberReferenceKind.Field)
                    used.UnionWith(member.DecodeFieldSignature(this, null));
                else
                    Add(member.DecodeMethodSignature(this, null), used);
                break;
        }
    }

    private static void Add(MethodSignature<ImmutableArray<string>> signature, HashSet<string> used)
    {
        used.UnionWith(signature.ReturnType);
        used.UnionWith(signature.ParameterTypes.SelectMany(parameter => parameter));
    }

    private ImmutableArray<string> NamesOf(EntityHandle handle) => handle.Kind switch
    {
        HandleKind.TypeDefinition => [OutermostOf((TypeDefinitionHandle)handle)],
        HandleKind.TypeReference => [OutermostOf((TypeReferenceHandle)handle)],
        _ => _reader.GetTypeSpecification((TypeSpecificationHandle)handle).DecodeSignature(this, null),
    };

    private string OutermostOf(TypeDefinitionHandle handle)
    {
        var type = _reader.GetTypeDefinition(handle);
        return type.GetDeclaringType() is { IsNil: false } outer ? OutermostOf(outer) : FullName(type.Namespace, type.Name);
    }

    private string OutermostOf(TypeReferenceHandle handle)
    {
        var type = _reader.GetTypeReference(handle);
        return type.ResolutionScope.Kind == HandleKind.TypeReference ? OutermostOf((TypeReferenceHandle)type.ResolutionScope) : FullName(type.Namespace, type.Name);
    }

    private string FullName(StringHandle space, StringHandle name) => $"{_reader.GetString(space)}.{_reader.GetString(name)}";

    ImmutableArray<string> ISimpleTypeProvider<ImmutableArray<string>>.GetPrimitiveType(PrimitiveTypeCode typeCode) => [];

    ImmutableArray<string> ISimpleTypeProvider<ImmutableArray<string>>.GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) =>
        [OutermostOf(handle)];

    ImmutableArray<string> ISimpleTypeProvider<ImmutableArray<string>>.GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) =>
        [OutermostOf(handle)];

    ImmutableArray<string> ISZArrayTypeProvider<ImmutableArray<string>>.GetSZArrayType(ImmutableArray<string> elementType) => elementType;

    ImmutableArray<string> IConstructedTypeProvider<ImmutableArray<string>>.GetArrayType(ImmutableArray<string> elementType, ArrayShape shape) => elementType;

    ImmutableArray<string> IConstructedTypeProvider<ImmutableArray<string>>.GetByReferenceType(ImmutableArray<string> elementType) => elementType;

    ImmutableArray<string> IConstructedTypeProvider<ImmutableArray<string>>.GetPointerType(ImmutableArray<string> elementType) => elementType;

    ImmutableArray<string> IConstructedTypeProvider<ImmutableArray<string>>.GetGenericInstantiation(
        ImmutableArray<string> genericType, ImmutableArray<ImmutableArray<string>> typeArguments) =>
        [.. genericType, .. typeArguments.SelectMany(argument => argument)];

    ImmutableArray<string> ISignatureTypeProvider<ImmutableArray<string>, object?>.GetFunctionPointerType(MethodSignature<ImmutableArray<string>> signature) =>
        [.. signature.ReturnType, .. signature.ParameterTypes.SelectMany(parameter => parameter)];

    ImmutableArray<string> ISignatureTypeProvider<ImmutableArray<string>, object?>.GetGenericMethodParameter(object? genericContext, int index) => [];

    ImmutableArray<string> ISignatureTypeProvider<ImmutableArray<string>, object?>.GetGenericTypeParameter(object? genericContext, int index) => [];

    ImmutableArray<string> ISignatureTypeProvider<ImmutableArray<string>, object?>.GetModifiedType(
        ImmutableArray<string> modifier, ImmutableArray<string> unmodifiedType, bool isRequired) => unmodifiedType;

    ImmutableArray<string> ISignatureTypeProvider<ImmutableArray<string>, object?>.GetPinnedType(ImmutableArray<string> elementType) => elementType;

    ImmutableArray<string> ISignatureTypeProvider<ImmutableArray<string>, object?>.GetTypeFromSpecification(
        MetadataReader reader, object? genericContext, TypeSpecificationHandle handle, byte rawTypeKind) =>
        reader.GetTypeSpecification(handle).DecodeSignature(this, genericContext);
}
