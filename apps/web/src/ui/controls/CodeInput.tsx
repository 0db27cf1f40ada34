import { limits } from '@coffer/contract/kit/limits.ts'
import { TextInput, type TextInputProps } from './TextInput.tsx'

type Props = Omit<TextInputProps, 'type' | 'maxLength'> & {
  /** Called after the last digit. */
  onComplete?(code: string): void
}

/** A single field for six digits, so that pasting, autofill and screen readers work. */
export const CodeInput = ({ onChange, onComplete, ...rest }: Props) => (
  <TextInput
    autoComplete="one-time-code"
    {...rest}
    inputMode="numeric"
    className="num tracking-[0.3em]"
    placeholder={'·'.repeat(limits.codeDigits)}
    onChange={text => {
      const code = text.replace(/\D/g, '').slice(0, limits.codeDigits)
      onChange(code)
      if (code.length === limits.codeDigits && code !== rest.value) onComplete?.(code)
    }}
  />
)
