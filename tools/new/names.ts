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

/** Throws when `path` is not `<domain>/<name>` in small letters, digits and hyphens. */
export function namesOf(path: string, titles: { en: string; zh: string }): Names {
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
