import type en from '../en/export.ts'

const exportMessages: typeof en = {
  running: '正在导出',
  received: size => `已接收 ${size}`,
  failed: '导出失败，未保存文件。',
  progress: '导出进度',
}

export default exportMessages
