/** The menu entry of a path: the path itself or its nearest ancestor. */
export const activePath = (path: string, paths: string[]): string | undefined =>
  paths.filter(each => path === each || path.startsWith(`${each}/`)).sort((a, b) => b.length - a.length)[0]
