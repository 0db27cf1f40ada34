export default {
  running: 'Exporting',
  received: (size: string) => `${size} received`,
  failed: 'Export failed. No file was saved.',
  progress: 'Export progress',
}
