using SectionedDocuments;

return await SectionedDocumentsApp.RunAsync(args);
