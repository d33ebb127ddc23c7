using Authors;

return await AuthorsCommand.Create().Parse(args).InvokeAsync();
