/** Ways by which a person is told, as settings have them. */
export const settingChannels = ['mail', 'push', 'chat'] as const
export type SettingChannel = (typeof settingChannels)[number]
/** How: at once, or together with others, by the hour or in the morning. */
export const settingModes = ['now', 'hourly', 'daily', 'off'] as const
export type SettingMode = (typeof settingModes)[number]
