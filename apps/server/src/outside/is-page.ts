const pageStart = /^<(?:!doctype\s+html|(?:html|head|title|meta|body|script|noscript|iframe)[\s>/])/i

/**
 * Reports whether the text of an answer is a web page, such as the challenge or the login of a proxy in front of a
 * server. The content type does not tell: servers of merchants often answer `ok` as text/html. XML that is not XHTML is
 * no page.
 */
export function isPage(text: string): boolean {
  let rest = text.trimStart()
  for (const [start, end] of [
    ['<?xml', '?>'],
    ['<!--', '-->'],
  ] as const)
    while (rest.startsWith(start)) {
      const at = rest.indexOf(end, start.length)
      if (at < 0) return false
      rest = rest.slice(at + end.length).trimStart()
    }
  return pageStart.test(rest.slice(0, 100))
}
