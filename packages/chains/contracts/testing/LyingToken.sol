// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A token whose logs say more than receivers have, in one of three ways.
contract LyingToken {
    string public name;
    string public symbol;
    uint8 public constant decimals = 6;
    uint8 public constant KEEPS = 1;
    uint8 public constant LOGS_TWICE = 2;
    uint8 public constant SHRINKS = 3;
    /// What it does: keep one percent of a transfer, log each twice, or shrink all balances by one percent per block.
    uint8 public way;
    uint256 public since;
    mapping(address => uint256) private held;

    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor(string memory name_, string memory symbol_, uint8 way_) {
        name = name_;
        symbol = symbol_;
        way = way_;
    }

    /// Begins or ends to be honest.
    function become(uint8 way_) external {
        way = way_;
        since = block.number;
    }

    function issue(address to, uint256 value) external {
        held[to] += value;
        emit Transfer(address(0), to, value);
    }

    function balanceOf(address owner) public view returns (uint256) {
        return way == SHRINKS ? (held[owner] * (100 - (block.number - since))) / 100 : held[owner];
    }

    function transfer(address to, uint256 value) external returns (bool) {
        uint256 moved = way == KEEPS ? value - value / 100 : value;
        if (way == SHRINKS) moved = (value * 100) / (100 - (block.number - since));
        held[msg.sender] -= moved;
        held[to] += moved;
        emit Transfer(msg.sender, to, value);
        if (way == LOGS_TWICE) emit Transfer(msg.sender, to, value);
        return true;
    }
}
