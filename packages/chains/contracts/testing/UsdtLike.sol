// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// A dollar token like Tether on Ethereum: transfer, transferFrom and approve return nothing, and a non-zero allowance
/// must be reset to zero before it changes. Callers that require a boolean return value fail, as they do on mainnet. The
/// issuer can pause it, block senders and charge a fee.
contract UsdtLike {
    string public name;
    string public symbol;
    uint8 public immutable decimals;
    uint256 public totalSupply;
    address public immutable owner;
    bool public paused;
    uint256 public basisPointsRate;
    uint256 public maximumFee;
    mapping(address => bool) public isBlackListed;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
        owner = msg.sender;
    }

    function issue(address to, uint256 value) external {
        require(msg.sender == owner, "caller is not the owner");
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function setPaused(bool value) external {
        require(msg.sender == owner, "caller is not the owner");
        paused = value;
    }

    function setBlackListed(address holder, bool value) external {
        require(msg.sender == owner, "caller is not the owner");
        isBlackListed[holder] = value;
    }

    function setParams(uint256 basisPointsRate_, uint256 maximumFee_) external {
        require(msg.sender == owner, "caller is not the owner");
        basisPointsRate = basisPointsRate_;
        maximumFee = maximumFee_;
    }

    function transfer(address to, uint256 value) external {
        move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, "insufficient allowance");
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0, "reset the allowance to zero first");
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function move(address from, address to, uint256 value) private {
        require(!paused, "paused");
        require(!isBlackListed[from], "sender is blocked");
        require(balanceOf[from] >= value, "insufficient balance");
        uint256 fee = (value * basisPointsRate) / 10_000;
        if (fee > maximumFee) fee = maximumFee;
        balanceOf[from] -= value;
        balanceOf[to] += value - fee;
        emit Transfer(from, to, value - fee);
        if (fee > 0) {
            balanceOf[owner] += fee;
            emit Transfer(from, owner, fee);
        }
    }
}
