import type { Language } from '@coffer/contract/languages.ts'

const unknownDevice: Record<Language, string> = { en: 'Unknown device', 'zh-CN': '未知设备' }
const locations: Record<string, Record<Language, string>> = {
  private: { en: 'Private network', 'zh-CN': '内部网络' },
  unknown: { en: 'Unknown', 'zh-CN': '未知' },
}

/** Formats a stored device name, which is empty for programs other than browsers. */
export const formatDeviceName = (device: string, language: Language): string => device || unknownDevice[language]

/** Formats a stored location, a known word or a place as JSON; empty for actions of the operator. */
export function formatLocation(location: string, language: Language): string {
  const texts: Partial<Record<string, string>> = location.startsWith('{')
    ? JSON.parse(location)
    : (locations[location] ?? {})
  return texts[language] ?? texts.en ?? ''
}

/** Formats where a visitor was and with what, in a line. */
export const formatOrigin = (
  { ip = '', address = '', device = '' }: { ip?: string; address?: string; device?: string },
  language: Language,
): string => [ip, address === 'unknown' ? '' : formatLocation(address, language), device].filter(Boolean).join(' · ')
