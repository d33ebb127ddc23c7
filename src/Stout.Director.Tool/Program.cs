using Stout.Director.Tool.Commands;

return await RootCommands.Create().Parse(args).InvokeAsync().ConfigureAwait(false);
