/** The forms of a name: `transfers/pin-transfer` as a folder, a value, a component and words. */
export interface Names {
  domain: string
  /** The domain as a value: `addressBook`. */
  domainValue: string
  kebab: string
  camel: string
  pascal: string
  snake: string
  words: string
  titles: { en: string; zh: string }
}

const camelOf = (kebab: string) => kebab.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** A text as a literal of code. */
export const literal = (text: string): string => JSON.stringify(text)

/**
 * Throws when `path` is not `<domain>/<name>` in small letters, digits and hyphens, or a title would end the comment
 * in which it stands.
 */
export function namesOf(path: string, titles: { en: string; zh: string }): Names {
  for (const title of Object.values(titles))
    if (/\n|\*\//.test(title)) throw new Error(`"${title}" is no title: it has one line, and no */`)
  const [, domain = '', kebab = ''] = /^([a-z][a-z0-9-]*)\/([a-z][a-z0-9-]*)$/.exec(path) ?? []
  if (!kebab) throw new Error(`${path} is no <domain>/<name> in small letters, such as transfers/pin-transfer`)
  const camel = camelOf(kebab)
  const words = kebab.replaceAll('-', ' ')
  const pascal = camel.charAt(0).toUpperCase() + camel.slice(1)
  return {
    domain,
    domainValue: camelOf(domain),
    kebab,
    camel,
    pascal,
    snake: kebab.replaceAll('-', '_'),
    words,
    titles,
  }
}
