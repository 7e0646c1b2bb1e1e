// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A token for development chains with configurable misbehavior. Only tests deploy it.
contract DevHostileToken {
    string public constant name = "Dev Hostile";
    string public constant symbol = "dBAD";
    uint8 public decimals = 18;
    uint256 public totalSupply;
    uint256 public feePercent;
    uint256 public sharePercent = 100;
    bool public isStopped;
    /// Like some real tokens: an allowance changes only to or from zero.
    bool public needsReset;
    /// The contract that the token calls on every transfer, and how often that succeeded.
    address private _target;
    bytes private _call;
    bool private _isCalling;
    uint256 public reentries;
    mapping(address => uint256) private _shares;
    mapping(address => mapping(address => uint256)) public allowance;
    /// The lie about EIP-2612: 0 does not support it, 1 accepts a permit and does nothing, 2
    /// returns the domain of another token.
    uint8 public permitLie;

    receive() external payable {}

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        _shares[to] += amount;
    }

    function behave(uint8 decimals_, uint256 feePercent_, uint256 sharePercent_, bool isStopped_, bool needsReset_) external {
        (decimals, feePercent, sharePercent) = (decimals_, feePercent_, sharePercent_);
        (isStopped, needsReset) = (isStopped_, needsReset_);
    }

    function reenter(address target, bytes calldata data) external {
        (_target, _call) = (target, data);
    }

    function lieAboutPermit(uint8 permitLie_) external {
        permitLie = permitLie_;
    }

    function nonces(address) external view returns (uint256) {
        require(permitLie > 0, "no permit");
        return 0;
    }

    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        require(permitLie > 0, "no permit");
        bytes32 domain = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        address token = permitLie == 2 ? address(1) : address(this);
        return keccak256(abi.encode(domain, keccak256(bytes(name)), keccak256("1"), block.chainid, token));
    }

    function permit(address, address, uint256, uint256, uint8, bytes32, bytes32) external view {
        require(permitLie > 0, "no permit");
    }

    function balanceOf(address owner) public view returns (uint256) {
        return (_shares[owner] * sharePercent) / 100;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        require(!needsReset || amount == 0 || allowance[msg.sender][spender] == 0, "not reset");
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        // During a transfer the token can trade with its own balance.
        if (from != address(this)) allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
        return true;
    }

    function _move(address from, address to, uint256 amount) private {
        require(!isStopped, "stopped");
        _reenter();
        uint256 share = (amount * 100) / sharePercent;
        _shares[from] -= share;
        _shares[to] += share - (share * feePercent) / 100;
    }

    function _reenter() private {
        if (_target == address(0) || _isCalling) return;
        _isCalling = true;
        (bool success,) = _target.call(_call);
        if (success) reentries++;
        _isCalling = false;
    }
}
