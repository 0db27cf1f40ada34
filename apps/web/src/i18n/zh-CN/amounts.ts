import type en from '../en/amounts.ts'

const amounts: typeof en = {
  validaValue: '请输入正确的金额：只用数字和一个小数点，例如 1234.56',
  either: (text, one, other) => `“${text}”可能是 ${one}，也可能是 ${other}，请输入其中一个`,
  read: amount => `识别为 ${amount}`,
  point: amount => `识别为 ${amount}（圆点为小数点）`,
}

export default amounts
