import { useEffect, useState } from 'react'
import { Field } from './Field.tsx'
import { TextInput } from './TextInput.tsx'

interface NumberFilterProps {
  label: string
  className: string
  value: string | undefined
  fits(text: string): boolean
  error: string
  digits?: boolean
  onCommit(value: string | undefined): void
}

/** A number filter applied on Enter or blur. Invalid numbers show an error instead of being applied. */
export function NumberFilter({ label, className, value, fits, error, digits, onCommit }: NumberFilterProps) {
  const [text, setText] = useState(value ?? '')
  const [wrong, setWrong] = useState(false)
  // The value comes from the URL and changes with history navigation.
  useEffect(() => {
    setText(value ?? '')
    setWrong(false)
  }, [value])
  const commit = () => {
    const wanted = text.trim()
    const bad = wanted !== '' && !fits(wanted)
    setWrong(bad)
    if (!bad && wanted !== (value ?? '')) onCommit(wanted || undefined)
  }
  return (
    <Field label={label} error={wrong && error} className={className}>
      {control => (
        <TextInput
          {...control}
          value={text}
          autoComplete="off"
          spellCheck={false}
          inputMode={digits ? 'numeric' : 'text'}
          className="num"
          onChange={next => {
            setText(next)
            if (wrong) setWrong(false)
          }}
          onBlur={commit}
          onKeyDown={event => event.key === 'Enter' && commit()}
        />
      )}
    </Field>
  )
}
