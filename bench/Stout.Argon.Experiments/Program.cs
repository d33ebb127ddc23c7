using Stout.Argon.Experiments;

return await ArgonCommand.Create().Parse(args).InvokeAsync();
