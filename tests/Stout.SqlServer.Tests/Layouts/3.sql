-- Stout's tables for SQL Server and Azure SQL, version 3 of the layout. Run it in every database that is a store partition, by a
-- login that may create schemas, tables, types, functions and views; it may be run again. The service then needs no such rights:
-- switch its CreateMissing off, and grant it SELECT, INSERT, UPDATE, DELETE and EXECUTE on the schema. To use another schema, replace
-- [stout] throughout. Which database is which partition is noted by the service when it first starts.
SET ANSI_NULLS ON;
SET ANSI_PADDING ON;
SET QUOTED_IDENTIFIER ON;
GO
IF SCHEMA_ID(N'stout') IS NULL EXEC(N'CREATE SCHEMA [stout]');
GO
-- Which set of databases this one belongs to: one row.
IF OBJECT_ID(N'[stout].[layout]') IS NULL
CREATE TABLE [stout].[layout] (
    id int NOT NULL CONSTRAINT pk_layout PRIMARY KEY,
    name nvarchar(64) NOT NULL,
    version int NOT NULL,
    set_id varbinary(16) NOT NULL,
    partition_index int NOT NULL,
    partition_count int NOT NULL,
    hash nvarchar(64) NOT NULL,
    ready bit NOT NULL);
GO
-- One row for each key that was written or claimed. Every stored key and sub-key is its UTF-8 with a byte 01 after it: comparing binary values ignores zero bytes
-- at their end. A key above 256 bytes is stored in 257: a prefix of whole code points up to 192 bytes, ~ up to 193, and its SHA-256 in hexadecimal digits.
-- long_key then has the whole key. epoch and claim: the owner, 0 and zero bytes while the key has had none. stamp: of the last write, zero bytes while the key was
-- claimed only, and so is generation then. request: the one that wrote the row last. root: where the object's own bytes are (0 nowhere, 1 here in
-- value, 2 in the row of [part] whose subkey is 0x01). deleted_at: when a key without an object was deleted or claimed last, in milliseconds since
-- 1970; null while the object exists. has_rows: 1 once the key has had rows in [part].
IF OBJECT_ID(N'[stout].[header]') IS NULL
CREATE TABLE [stout].[header] (
    [key] varbinary(257) NOT NULL CONSTRAINT pk_header PRIMARY KEY,
    epoch bigint NOT NULL DEFAULT 0,
    claim varbinary(16) NOT NULL DEFAULT 0x00000000000000000000000000000000,
    stamp varbinary(32) NOT NULL,
    request varbinary(16) NOT NULL,
    generation varbinary(32) NOT NULL,
    deleted_at bigint NULL,
    root int NOT NULL,
    has_rows int NOT NULL,
    value varbinary(4096) NULL,
    long_key varbinary(4096) NULL);
GO
-- The primary key is the first.
IF (SELECT COUNT(*) FROM sys.indexes WHERE object_id = OBJECT_ID(N'[stout].[header]')) < 2
CREATE INDEX ix_header_deleted ON [stout].[header] (deleted_at) WHERE deleted_at IS NOT NULL;
GO
-- One row: no smaller than the epoch of any header that was removed. Owners of new headers have larger epochs.
IF OBJECT_ID(N'[stout].[epoch_floor]') IS NULL
CREATE TABLE [stout].[epoch_floor] (
    id int NOT NULL CONSTRAINT pk_epoch_floor PRIMARY KEY,
    epoch bigint NOT NULL);
GO
INSERT INTO [stout].[epoch_floor] (id, epoch) SELECT 1, 0 WHERE NOT EXISTS (SELECT 1 FROM [stout].[epoch_floor] WHERE id = 1);
GO
-- Parts, and objects above 4,096 bytes. Rows of other generations than the header's are dead.
IF OBJECT_ID(N'[stout].[part]') IS NULL
CREATE TABLE [stout].[part] (
    [key] varbinary(257) NOT NULL,
    generation varbinary(32) NOT NULL,
    subkey varbinary(129) NOT NULL,
    value varbinary(max) NOT NULL,
    CONSTRAINT pk_part PRIMARY KEY ([key], generation, subkey));
GO
-- The keys that may have rows of dead generations: the sweeper's work.
IF OBJECT_ID(N'[stout].[garbage]') IS NULL
CREATE TABLE [stout].[garbage] ([key] varbinary(257) NOT NULL CONSTRAINT pk_garbage PRIMARY KEY);
GO
-- What the service sends: the keys of a batch to write, their parts, and the keys of a batch to read, each in the keys' order.
-- expected: null for a key that must have no header, zero bytes for one that was claimed only. epoch and claim: the owner. kind: 0 merge, 1 replace, 2 delete. root: as in [header]; null leaves it as it is.
IF TYPE_ID(N'[stout].[key_write]') IS NULL
CREATE TYPE [stout].[key_write] AS TABLE (
    n int NOT NULL PRIMARY KEY,
    [key] varbinary(257) NOT NULL,
    kind int NOT NULL,
    expected varbinary(32) NULL,
    epoch bigint NOT NULL,
    claim varbinary(16) NOT NULL,
    stamp varbinary(32) NOT NULL,
    root int NULL,
    has_rows int NOT NULL,
    value varbinary(4096) NULL);
GO
-- value: null for a part that goes.
IF TYPE_ID(N'[stout].[part_write]') IS NULL
CREATE TYPE [stout].[part_write] AS TABLE (
    n int NOT NULL,
    subkey varbinary(129) NOT NULL,
    value varbinary(max) NULL,
    PRIMARY KEY (n, subkey));
GO
-- claim: null for a key that is read only, zero bytes to reset its claim. least: the least epoch of the owner. from_stamp, from_epoch and
-- from_claim: the header that there has to be; null for any. parts: 1 if the parts are read, too.
IF TYPE_ID(N'[stout].[key_read]') IS NULL
CREATE TYPE [stout].[key_read] AS TABLE (
    n int NOT NULL PRIMARY KEY,
    [key] varbinary(257) NOT NULL,
    claim varbinary(16) NULL,
    least bigint NOT NULL,
    from_stamp varbinary(32) NULL,
    from_epoch bigint NULL,
    from_claim varbinary(16) NULL,
    parts int NOT NULL);
GO
-- The long keys among the keys of a batch that may be new, or that are claimed or read; n is the key's there.
IF TYPE_ID(N'[stout].[key_long]') IS NULL
CREATE TYPE [stout].[key_long] AS TABLE (
    n int NOT NULL PRIMARY KEY,
    long_key varbinary(4096) NOT NULL);
GO
-- For people: UTF-8 as text. Backslash, control characters (NUL is one) and bytes that are no UTF-8 are shown as \\, \u0000 and \xFF.
IF OBJECT_ID(N'[stout].[as_text]') IS NULL EXEC(N'
CREATE FUNCTION [stout].[as_text] (@bytes varbinary(8000)) RETURNS nvarchar(max) AS
BEGIN
    DECLARE @text nvarchar(max) = N'''', @at int = 1, @end int = DATALENGTH(@bytes), @first int, @code int, @length int, @i int, @next int,
        @hex nvarchar(16) = N''0123456789ABCDEF'';
    IF @bytes IS NULL RETURN NULL;
    WHILE @at <= @end
    BEGIN
        SET @first = CAST(SUBSTRING(@bytes, @at, 1) AS int);
        SET @length = CASE WHEN @first < 128 THEN 1 WHEN @first BETWEEN 194 AND 223 THEN 2 WHEN @first BETWEEN 224 AND 239 THEN 3
            WHEN @first BETWEEN 240 AND 244 THEN 4 ELSE 0 END;
        SET @code = CASE @length WHEN 1 THEN @first WHEN 2 THEN @first - 192 WHEN 3 THEN @first - 224 ELSE @first - 240 END;
        IF @at + @length - 1 > @end SET @length = 0;
        SET @i = 1;
        WHILE @i < @length
        BEGIN
            SET @next = CAST(SUBSTRING(@bytes, @at + @i, 1) AS int);
            IF @next NOT BETWEEN 128 AND 191 SET @length = 0;
            SET @code = @code * 64 + @next - 128;
            SET @i = @i + 1;
        END;
        IF (@length = 3 AND (@code < 2048 OR @code BETWEEN 55296 AND 57343)) OR (@length = 4 AND @code NOT BETWEEN 65536 AND 1114111)
            SET @length = 0;
        IF @length = 0
            SET @text = @text + N''\x'' + SUBSTRING(@hex, @first / 16 + 1, 1) + SUBSTRING(@hex, @first % 16 + 1, 1);
        ELSE IF @code < 32 OR @code BETWEEN 127 AND 159
            SET @text = @text + N''\u00'' + SUBSTRING(@hex, @code / 16 + 1, 1) + SUBSTRING(@hex, @code % 16 + 1, 1);
        ELSE IF @code = 92
            SET @text = @text + N''\\'';
        ELSE IF @code < 65536
            SET @text = @text + NCHAR(@code);
        ELSE
            SET @text = @text + COALESCE(NCHAR(@code), NCHAR(55232 + @code / 1024) + NCHAR(56320 + @code % 1024));
        SET @at = @at + CASE @length WHEN 0 THEN 1 ELSE @length END;
    END;
    RETURN @text;
END');
GO
-- For people: one row for each part of what exists; the empty sub-key is the object itself. value_text shows the first 1,000 bytes.
IF OBJECT_ID(N'[stout].[entry]') IS NULL EXEC(N'
CREATE VIEW [stout].[entry] AS
SELECT [stout].[as_text](COALESCE(e.long_key, SUBSTRING(e.[key], 1, DATALENGTH(e.[key]) - 1))) AS [key],
    [stout].[as_text](SUBSTRING(e.subkey, 1, DATALENGTH(e.subkey) - 1)) AS subkey,
    e.value, [stout].[as_text](SUBSTRING(e.value, 1, 1000)) AS value_text, e.[key] AS key_bytes, e.subkey AS subkey_bytes
FROM (
    SELECT h.[key], h.long_key, CAST(0x01 AS varbinary(129)) AS subkey, CAST(h.value AS varbinary(max)) AS value
    FROM [stout].[header] h
    WHERE h.root = 1 AND h.deleted_at IS NULL
    UNION ALL
    SELECT p.[key], h.long_key, p.subkey, p.value
    FROM [stout].[header] h JOIN [stout].[part] p ON p.[key] = h.[key] AND p.generation = h.generation
    WHERE h.deleted_at IS NULL AND h.has_rows = 1
) e');
GO
