import type en from '../en/roles.ts'

const roles: typeof en = {
  refusedPage: '您的角色无权查看此页面',
  refusedPageText: '如需查看，请联系店铺所有者调整您的角色。',
  factorNeeded: '该商户要求二次验证，请先在本页绑定身份验证器或添加通行密钥，完成后即可使用其他功能。',
}

export default roles
