/**
 * The federation plugin cuts what a remote takes from the Shell down to the names that its modules import, and takes
 * the module graph for complete when for 10 ms no module that it knows of is unparsed. It learns of a module when that
 * is loaded, so a pause between parsing one and loading what it imports ended the count early, and one build in ten
 * failed with missing exports (@module-federation/vite 1.23.0). Here it learns of imports when their importer is parsed.
 */
export const knowingWholeGraph = (federated) => {
  const plugins = federated.flat();
  const start = plugins.find(({ name }) => name === 'parseStart');
  const end = plugins.find(({ name }) => name === 'parseEnd');
  if (!start || !end) throw new Error('@module-federation/vite has changed: look whether services/web-kit/vite/whole-graph.mjs is still needed');
  const { moduleParsed } = end;
  end.moduleParsed = function (module) {
    for (const id of [...module.importedIds, ...module.dynamicallyImportedIds]) start.load.call(this, id);
    return moduleParsed.call(this, module);
  };
  return plugins;
};
