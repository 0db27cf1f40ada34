import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Changes to the files below a root, none of which is written before `save`. */
export class Tree {
  readonly #root: string
  readonly #changed = new Map<string, string>()

  constructor(root: string) {
    this.#root = root
  }

  has(path: string): boolean {
    return this.#changed.has(path) || existsSync(join(this.#root, path))
  }

  read(path: string): string {
    return this.#changed.get(path) ?? readFileSync(join(this.#root, path), 'utf8')
  }

  /** Returns the names in a folder as it was found. */
  files(folder: string): string[] {
    return readdirSync(join(this.#root, folder))
  }

  /** Adds a file. Throws when it exists. */
  write(path: string, text: string): void {
    if (this.has(path)) throw new Error(`${path} exists: choose another name`)
    this.#changed.set(path, text)
  }

  /** Inserts a text before or after the first place of `mark`. Throws when there is none. */
  insert(path: string, text: string, { before, after }: { before?: string; after?: string }): void {
    const whole = this.read(path)
    const mark = before ?? after ?? ''
    const at = whole.indexOf(mark)
    if (at < 0) throw new Error(`${path} has no line "${mark.trim()}": add the line by hand, and mend tools/new`)
    const place = before ? at : at + mark.length
    this.#changed.set(path, whole.slice(0, place) + text + whole.slice(place))
  }

  /** Replaces the first place of a text. Throws when there is none. */
  replace(path: string, text: string, by: string): void {
    const whole = this.read(path)
    if (!whole.includes(text)) throw new Error(`${path} has no "${text.trim()}"`)
    this.#changed.set(
      path,
      whole.replace(text, () => by),
    )
  }

  /** Imports a name that the file does not import yet. The linter sorts imports. */
  import(path: string, name: string, from: string): void {
    const quoted = RegExp.escape(from)
    const found = new RegExp(`import \\{([^}]*)\\} from '${quoted}'`).exec(this.read(path))
    if (found?.[1]?.split(',').some(each => each.trim() === name)) return
    if (found) this.insert(path, ` ${name},`, { before: found[0].slice('import {'.length) })
    else this.#changed.set(path, `import { ${name} } from '${from}'\n${this.read(path)}`)
  }

  /** Writes the changes. Returns their paths. */
  save(): string[] {
    for (const [path, text] of this.#changed) {
      mkdirSync(dirname(join(this.#root, path)), { recursive: true })
      writeFileSync(join(this.#root, path), text)
    }
    return [...this.#changed.keys()].sort()
  }
}
