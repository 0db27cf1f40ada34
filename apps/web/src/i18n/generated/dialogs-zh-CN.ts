export default {
  "POST /api/operator/v1/passkeys": {
    "button": "添加通行密钥",
    "text": "添加后可用其登录和审核提现，浏览器会询问保存位置。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "name": {
        "label": "名称",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "DELETE /api/operator/v1/passkeys/:id": {
    "button": "移除",
    "text": "“{name}”将无法再使用，您的其他会话将退出登录。",
    "done": "已移除",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/operators": {
    "button": "添加运营人员",
    "text": "系统将向对方邮箱发送一次性链接，用于设置密码并绑定身份验证器，1 天内有效。所有所有者都会收到通知。",
    "done": "链接已发送至对方邮箱，1 天内有效，仅可使用一次。",
    "leave": "",
    "unread": "",
    "fields": {
      "email": {
        "label": "邮箱",
        "hint": "",
        "no": "",
        "yes": ""
      },
      "role": {
        "label": "角色",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "PUT /api/operator/v1/operators/:id": {
    "button": "修改角色",
    "text": "{email} 的新角色从下一次请求起生效，已登录的会话同样适用。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "role": {
        "label": "角色",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/operators/:id/link": {
    "button": "重新生成链接",
    "text": "{email} 的密码、身份验证器和通行密钥将失效并退出登录，新链接将发送至其邮箱，1 天内有效，仅可使用一次。",
    "done": "链接已发送至对方邮箱，1 天内有效，仅可使用一次。",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "DELETE /api/operator/v1/operators/:id": {
    "button": "移除",
    "text": "{email} 将立即退出登录且无法再次登录，操作日志会保留。",
    "done": "已移除",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "PUT /api/operator/v1/alerts": {
    "button": "修改",
    "text": "仅提醒您有权处理的事项，通过邮件和以下设备发送；同时出现的多项合为一封邮件。可能导致资金停滞或损失的异常不受以下设置限制，随时发送。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/alert-devices": {
    "button": "在本设备上显示",
    "text": "提醒将以浏览器通知的形式显示，即使已关闭控制台或退出登录也会收到。持有该设备的人都能看到，直到您在此处移除。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/alert-devices/:id/test": {
    "button": "发送测试",
    "text": "立即向 {name} 发送一条注明为测试的通知。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "DELETE /api/operator/v1/alert-devices/:id": {
    "button": "移除",
    "text": "{name} 不再显示提醒。",
    "done": "已移除",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/alert-hooks": {
    "button": "添加网址",
    "text": "每条提醒以签名的 JSON 立即发送到该网址，不受免打扰时段限制；未返回 2xx 时自动重试。格式以及转发到 PagerDuty、Opsgenie、Slack 的方法见 docs/alerts.md。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "PUT /api/operator/v1/alert-hooks/:id": {
    "button": "修改",
    "text": "每条提醒以签名的 JSON 立即发送到该网址，不受免打扰时段限制；未返回 2xx 时自动重试。格式以及转发到 PagerDuty、Opsgenie、Slack 的方法见 docs/alerts.md。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/alert-hooks/:id/renew": {
    "button": "更换密钥",
    "text": "新密钥立即用于签名，旧密钥在 24 小时内同时签名，便于接收方更换。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/alert-hooks/:id/test": {
    "button": "发送测试",
    "text": "立即向 {url} 发送一条注明为测试的提醒。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "DELETE /api/operator/v1/alert-hooks/:id": {
    "button": "移除",
    "text": "{url} 不再接收提醒。",
    "done": "已移除",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/merchants/:id/review": {
    "button": "通过",
    "text": "通过后商户即可收款，系统会发送邮件通知。由一人审核即可；需要进一步核实的申请可先转入高级审核。",
    "done": "已通过",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/merchants/:id/note": {
    "button": "添加备注",
    "text": "仅运营人员可见，商户看不到。备注会署您的名字并保留。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "text": {
        "label": "备注",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/merchants/:id/documents": {
    "button": "要求补充资料",
    "text": "商户将通过邮件和通知收到一张包含您问题的工单，并以文字和图片回复。",
    "done": "已通知商户",
    "leave": "",
    "unread": "",
    "fields": {
      "text": {
        "label": "需要哪些资料、资料须说明什么",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "PUT /api/operator/v1/merchants/:id/risk": {
    "button": "设置风险等级",
    "text": "等级为不合格或异常时，每笔提现均需运营人员审核。商户看不到此等级。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "risk_level": {
        "label": "风险等级",
        "hint": "",
        "no": "",
        "yes": ""
      },
      "reason": {
        "label": "原因（供其他运营人员判断）",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/merchants/:id/freeze": {
    "button": "冻结",
    "text": "将结束全部会话，停用 API 密钥和登录，提现不再发送；充值仍会入账。商户会收到邮件。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因",
        "hint": "",
        "no": "",
        "yes": ""
      },
      "show_reason": {
        "label": "向商户展示原因",
        "hint": "展示在邮件、已打开的页面和登录页。法律或调查要求保密时请勿开启。",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/merchants/:id/unfreeze": {
    "button": "解冻",
    "text": "API 密钥恢复可用，商户可重新登录，并会收到邮件。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因（供其他运营人员判断）",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "PUT /api/operator/v1/merchants/:id/terms": {
    "button": "修改",
    "text": "留空则使用本服务的默认值。新费率仅适用于此后首次入账的收款和此后申请的提现。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因（供其他运营人员判断）",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/merchants/:id/remove-authenticator": {
    "button": "解绑身份验证器",
    "text": "请先核实申请人身份。需另一位运营人员执行相同操作，24 小时后解绑。商户会收到邮件并可提出异议。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/merchants/:id/lift-hold": {
    "button": "解除提现暂停",
    "text": "该商户曾报告非本人登录。请先核实申请人身份，解除后可立即提现、退款和划转。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因（供其他运营人员判断）",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/withdrawals/:id/approve": {
    "button": "通过",
    "text": "将发送以下金额，发送后不可撤销：",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/withdrawals/:id/approve-by-passkey": {
    "button": "使用通行密钥通过",
    "text": "将发送以下金额，发送后不可撤销：",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/withdrawals/:id/reject": {
    "button": "拒绝",
    "text": "不会发送任何款项，金额退回商户余额。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因（商户可见）",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/withdrawals/:id/cancel": {
    "button": "取消付款",
    "text": "尚无链上交易的，金额立即退回；已发送的，将以同一 nonce 的空交易替换，确认后退回。",
    "done": "已记录",
    "leave": "暂不取消",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因（商户可见）",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/withdrawals/:id/paid": {
    "button": "已付款",
    "text": "用于恢复备份之后：系统将在链上核对所填交易，不再发送任何款项；核对通过后该笔提现即完成，视同由本服务器付款。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "txid": {
        "label": "交易哈希",
        "hint": "须为本站热钱包发出、已最终确认且非本服务器发送的交易，可在区块浏览器中查到。",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/refunds/:id/approve": {
    "button": "重新付款",
    "text": "将发送以下金额，发送后不可撤销：",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/refunds/:id/cancel": {
    "button": "取消付款",
    "text": "不再付款，金额退回商户余额。",
    "done": "已记录",
    "leave": "暂不取消",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因（商户可见）",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/refunds/:id/paid": {
    "button": "已付款",
    "text": "用于恢复备份之后：系统将在链上核对所填交易，不再发送任何款项；核对通过后该笔退款即完成，视同由本服务器付款。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "txid": {
        "label": "交易哈希",
        "hint": "须为本站热钱包发出、已最终确认且非本服务器发送的交易，可在区块浏览器中查到。",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/releases/:owner/:id": {
    "button": "使用通行密钥放行",
    "text": "签名服务将向以下地址付款，付出后无法撤回。",
    "done": "已放行，将在一分钟内付出",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/work-orders/:id/close": {
    "button": "关闭工单",
    "text": "商户会收到通知，并可在 7 天内重新打开。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/work-orders/:id/reopen": {
    "button": "重新打开",
    "text": "工单将重新等待回复，商户会收到通知。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/announcements": {
    "button": "发布公告",
    "text": "公告会在每个商户的公告栏中滚动展示，直至商户阅读或到达结束时间。",
    "done": "公告已发布",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/announcements/:id/withdraw": {
    "button": "撤回",
    "text": "公告将立即从公告栏移除，商户看到的内容会替换为撤回提示。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/chains/:id/resume": {
    "button": "恢复网络",
    "text": "从最后的共同区块继续读取，仍存疑的充值保持不变。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因（供其他运营人员判断）",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/chains/:id/reread": {
    "button": "重新读取",
    "text": "重新读取最终区块，直至 {final}。预览只以异常形式列出差异，不做任何更改。",
    "done": "已提交重新读取",
    "leave": "",
    "unread": "",
    "fields": {
      "block": {
        "label": "起始区块",
        "hint": "",
        "no": "",
        "yes": ""
      },
      "apply": {
        "label": "差异处理",
        "hint": "",
        "no": "仅预览",
        "yes": "修正"
      }
    }
  },
  "POST /api/operator/v1/deposits/:id/undo": {
    "button": "撤销充值",
    "text": "将撤销该充值的入账，商户余额会相应减少。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因（供其他运营人员判断）",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/deposits/:id/credit": {
    "button": "入账",
    "text": "将以 {token} 计入商户余额，商户可以提现。它不计入任何订单，商户可自行将订单标记为已支付。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因（供其他运营人员判断）",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/deposits/:id/return": {
    "button": "退回",
    "text": "归集后，{token} 将扣除网络手续费退回付款地址。如付款地址属于交易所或合约，付款人可能收不到退款：请改为入账，由商户退还。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因（供其他运营人员判断）",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/assets/:id/release": {
    "button": "恢复代币",
    "text": "{token} 待核对的充值将按日志金额直接入账，不再核对。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因（供其他运营人员判断）",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/assets/:id/refuse": {
    "button": "拒绝代币",
    "text": "{token} 待核对的充值将作废，此后的转账不再识别。之后仍可恢复。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/queues/:id/pause": {
    "button": "暂停",
    "text": "",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/queues/:id/resume": {
    "button": "恢复",
    "text": "{queue}队列将立即继续，最早的优先。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因（供其他运营人员判断）",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/callbacks/:id/resend": {
    "button": "重发",
    "text": "立即向 {url} 发送一次。编号不变，接收方可据此去重。",
    "done": "已重新发送",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/wallets/:id/halt": {
    "button": "停用",
    "text": "恢复前不再从该钱包签名或广播任何交易，收款不受影响。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/wallets/:id/resume": {
    "button": "恢复钱包",
    "text": "将从下一个 nonce 继续签名。请先查明发送过哪些交易；如果密钥已泄露，请先转移资金。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因（供其他运营人员判断）",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/wallets/:id/cancel": {
    "button": "取消 nonce",
    "text": "将尚未进入区块的交易替换为向钱包自身的空转账，确认后其中的付款作废。",
    "done": "已记录",
    "leave": "暂不取消",
    "unread": "",
    "fields": {
      "nonce": {
        "label": "nonce 值",
        "hint": "",
        "no": "",
        "yes": ""
      },
      "reason": {
        "label": "原因",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/wallets/:id/abandon": {
    "button": "放弃",
    "text": "其中的付款视为未支付，可再次支付。请先确认占用该 nonce 的交易没有支付其中任何一笔。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "原因（供其他运营人员判断）",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/wallets/:id/empty": {
    "button": "全部转入资金库",
    "text": "用于密钥可能泄露的情况。钱包将停用，尚未上链的付款会被取消，全部余额只会转入签名策略指定的资金库，直到钱包恢复为止。",
    "done": "",
    "leave": "",
    "unread": "无法转移：签名策略未指定该网络的资金库，或签名服务没有响应。",
    "fields": {
      "reason": {
        "label": "原因（供其他运营人员判断）",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/wallets/:id/sweep": {
    "button": "立即归集",
    "text": "一分钟内将该网络的全部充值归集到资金库或热钱包，不论金额大小，每笔均需支付矿工费。",
    "done": "已提交归集",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/incidents/:id/take": {
    "button": "由我处理",
    "text": "其他运营人员会看到您正在处理此异常；之后接手的人将替代您。",
    "done": "已记录",
    "leave": "",
    "unread": "",
    "fields": {}
  },
  "POST /api/operator/v1/incidents/:id/note": {
    "button": "添加备注",
    "text": "",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "text": {
        "label": "给其他运营人员的备注",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  },
  "POST /api/operator/v1/incidents/:id/close": {
    "button": "关闭异常",
    "text": "该异常及同一原因的其他异常将一并关闭。若差异仍存在，十分钟内会再次报告。",
    "done": "",
    "leave": "",
    "unread": "",
    "fields": {
      "reason": {
        "label": "查明的原因和处理方式",
        "hint": "",
        "no": "",
        "yes": ""
      }
    }
  }
}
