export default {
  running: 'Exporting',
  received: (size: string) => `${size} received`,
  failed: 'The export failed. Nothing was saved.',
  progress: 'Progress of the export',
}
