using OrleansDocuments;
using SectionedDocuments.Hosting;

return await ServiceRun.RunAsync("OrleansDocuments", () => OrleansDocumentsApp.Create(args));
