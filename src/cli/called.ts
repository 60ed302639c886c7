/** How a person calls the command line: by npm where the sources are, by its name where the package is installed. */
export const called = import.meta.filename.endsWith('.ts') ? 'npm run entrepot --' : 'entrepot'
