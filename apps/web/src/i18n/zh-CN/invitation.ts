import type en from '../en/invitation.ts'

export default {
  title: shop => `加入商户“${shop}”`,
  text: (by, role) => (by ? `${by} 邀请您加入，角色：${role}。` : `您已受邀加入，角色：${role}。`),
  may: may => `权限：${may}。`,
  newText: email => `请设置密码，登录邮箱为 ${email}。`,
  signInText: email => `${email} 已有账号，请登录后接受邀请。`,
  accept: '接受邀请',
  signIn: '登录并接受邀请',
  signInAgain: '使用其他账号登录',
} satisfies typeof en
