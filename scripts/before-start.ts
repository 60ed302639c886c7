/** Everything that `npm start` needs and does not find fresh, in one process: to begin a second one takes as long as to look. */
await import('./build-program.ts')
await import('./build-web.ts')
