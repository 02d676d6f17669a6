/**
 * The folder of this module. In the built package, which is CommonJS and so has no `import.meta`, `build.ts`
 * replaces this file.
 */
export const HERE = import.meta.dirname;
